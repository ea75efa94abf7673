import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';

import type { DeliveryPage } from './deliveries.ts';
import type { Ledger, ListedTask, TaskPage } from './generation.ts';
import type { Client } from './http-client.ts';
import type { Receiver } from './receiver.ts';

/** A task of a dead server is taken over after 15 seconds on PostgreSQL, a message after 30. */
const END_MS = 300_000;
const FINAL = new Set(['COMPLETED', 'FAILED', 'success', 'failed']);
export const GOOD = new Set(['COMPLETED', 'success']);
/** What a failure may be called that a crash is the reason for. */
export const CRASHED = new Set(['VendorUncertain', 'RunnerLost']);
/** What is told of a task on its way to each end, the last being the end; a crash may come before the first. */
const TOLD: Readonly<Record<string, readonly string[]>> = {
  COMPLETED: ['IN_PROGRESS', 'COMPLETED'],
  FAILED: ['IN_PROGRESS', 'FAILED'],
  success: ['processing', 'success'],
  failed: ['processing', 'failed'],
};

export async function untilAllEnded(api: Client): Promise<readonly ListedTask[]> {
  const deadline = AbortSignal.timeout(END_MS);
  for (;;) {
    const tasks: ListedTask[] = [];
    for (let after = ''; ; ) {
      const { body } = await api.get<TaskPage>(`/proxy/tasks?limit=100${after}`);
      tasks.push(...body.tasks);
      if (body.next_cursor === undefined) break;
      after = `&after=${body.next_cursor}`;
    }
    const open = tasks.filter(({ state }) => !FINAL.has(state));
    if (open.length === 0) return tasks;
    assert.ok(!deadline.aborted, JSON.stringify(open.slice(0, 5)));
    await delay(100);
  }
}

export async function untilAllDelivered(api: Client): Promise<void> {
  const deadline = AbortSignal.timeout(END_MS);
  for (;;) {
    const { body } = await api.get<DeliveryPage>('/webhooks/deliveries?status=pending');
    if (body.deliveries.length === 0) return;
    assert.ok(!deadline.aborted, JSON.stringify(body.deliveries.slice(0, 5)));
    await delay(100);
  }
}

export async function wholeLedger(api: Client): Promise<Ledger> {
  const entries: Ledger['entries'][number][] = [];
  for (let before = ''; ; ) {
    const { body } = await api.get<Ledger & { next_before?: number }>(
      `/customers/credits?limit=100${before}`,
    );
    entries.push(...body.entries);
    if (body.next_before === undefined) return { balance: body.balance, entries };
    before = `&before=${body.next_before}`;
  }
}

/** Every entry is of a task; what succeeded is paid once, and nothing else is. */
export function checkCredits(
  tasks: readonly ListedTask[],
  { balance, entries }: Ledger,
  granted: number,
): void {
  const sum = (numbers: readonly number[]) => numbers.reduce((all, each) => all + each, 0);
  const spent = sum(tasks.filter(({ state }) => GOOD.has(state)).map(({ credits }) => credits));
  assert.equal(balance, granted - spent);
  assert.equal(sum(entries.map(({ amount }) => amount)), balance);
  const byTask = Map.groupBy(entries, ({ reference }) => reference);
  for (const { id, state, credits } of tasks) {
    const booked = (byTask.get(`task:${id}`) ?? []).map(({ kind, amount }) => [kind, amount]);
    const reserved = ['reserve', -credits];
    const end = GOOD.has(state) ? ['settle', 0] : ['return', credits];
    assert.deepEqual(booked, [end, reserved], id);
  }
  assert.equal(byTask.size, tasks.length + 1);
}

/** Each change arrived at least once, under one id, none before the one that came before it. */
export function checkMessages({ id, state }: ListedTask, { received }: Receiver): void {
  const about = received
    .filter(({ text }) => text.includes(id))
    .map(({ text, headers }) => {
      const { status, state: word } = JSON.parse(text) as { status?: string; state?: string };
      return { word: status ?? word ?? '', message: headers['webhook-id'] };
    });
  const words = about.map(({ word }) => word).filter((word, index, all) => word !== all[index - 1]);
  assert.deepEqual(words, TOLD[state] ?? [], id);
  const messages = new Set(about.map(({ word, message }) => `${word} ${message}`));
  assert.equal(messages.size, words.length, `${id}: a change has several messages`);
}
