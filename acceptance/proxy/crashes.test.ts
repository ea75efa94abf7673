import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { ENGINES, isLongRun, PATIENCE_MS, type RunningServer, startServer } from '@atelier/testing';

import type { DeliveryPage } from '../support/deliveries.ts';
import {
  type Ledger,
  type ListedTask,
  newArtist,
  SKIN,
  type TaskPage,
  VIDEO,
} from '../support/generation.ts';
import { type Client, client } from '../support/http-client.ts';
import { type OutsideVendors, startOutsideVendors } from '../support/outside-vendors.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import '../support/servers.ts';
import { until } from '../support/until.ts';
import { newPicture } from '../support/user-files.ts';

/** Pictures are asked for in every fourth round only: loading the renderer costs more than the rest of it. */
const PICTURE_ROUNDS = 4;
const ROUNDS = isLongRun ? 20 : 5;
const CREDITS = 1_000_000;
const SKIN_CREDITS = 3;
/** A task of a dead server is taken over after 15 seconds on PostgreSQL, a message after 30. */
const END_MS = 300_000;
/** Enough that the ones of dead servers leave room, few enough that it ends. */
const UNDER_WAY = 60;

const FINAL = new Set(['COMPLETED', 'FAILED', 'success', 'failed']);
const GOOD = new Set(['COMPLETED', 'success']);
/** What a failure may be called that a crash is the reason for. */
const CRASHED = new Set(['VendorUncertain', 'RunnerLost']);
/** What is told of a task on its way to each end, the last being the end; a crash may come before the first. */
const TOLD: Readonly<Record<string, readonly string[]>> = {
  COMPLETED: ['IN_PROGRESS', 'COMPLETED'],
  FAILED: ['IN_PROGRESS', 'FAILED'],
  success: ['processing', 'success'],
  failed: ['processing', 'failed'],
};

describe('a server that is killed in the middle of tasks and messages', { concurrency: true }, () => {
  for (const engine of ENGINES) {
    test(`[PRX-1] [PRX-51] [PRX-61] [PRX-62] [PRX-82] ends every task once, tells it in order and books it right, ${ROUNDS} times, on ${engine}`, {
      timeout: 4 * PATIENCE_MS,
    }, async () => {
      await using vendors = await startOutsideVendors();
      const receiver = await startReceiver();
      let server = await startServer({ engine, environment: settings(vendors, receiver) });
      const over = new AbortController();
      const telling = vendors.keepTelling(() => server.url, over.signal);
      try {
        const artist = await newArtist(server, CREDITS);
        const accepted = new Set<string>();
        for (let round = 0; round < ROUNDS; round += 1) {
          const [tasks, messages] = [accepted.size, receiver.received.length];
          const kinds = round % PICTURE_ROUNDS === 0 ? [aPicture, aVideo] : [aVideo, aVideo];
          const creating = kinds.map(
            async (wanted) => await createUntilGone(server, artist.key, { accepted, receiver, wanted }),
          );
          // At another moment of tasks and messages each time.
          await until('some tasks', () => accepted.size >= tasks + 4 + (round % 5));
          await until('some messages', () => receiver.received.length >= messages + ((round * 3) % 11));
          await server.stop('SIGKILL');
          await Promise.all(creating);
          server = await server.restart();
        }
        const api = client(server.url, { apiKey: artist.key });
        const tasks = await untilAllEnded(api);
        const ids = new Set(tasks.map(({ id }) => id));
        for (const id of accepted) assert.ok(ids.has(id), `${id} was accepted and is gone`);
        checkVendor(tasks, vendors);
        checkCredits(tasks, await wholeLedger(api));
        await untilAllDelivered(api);
        for (const task of tasks) checkMessages(task, receiver);
      } finally {
        over.abort();
        await telling;
        receiver.close();
        await server[Symbol.asyncDispose]();
      }
    });
  }
});

/** Videos are made outside, by a vendor who would make a second one of a second request; pictures here. */
function settings({ settings: outside, port }: OutsideVendors, receiver: Receiver): Record<string, string> {
  const { ATELIER_IMAGE_VENDOR_KEY: _, ...others } = outside;
  return {
    ...others,
    ATELIER_OUTBOUND_ALLOW: `127.0.0.1:${port},127.0.0.1:${receiver.port}`,
    ATELIER_TASKS_PER_USER: String(UNDER_WAY),
    ATELIER_SKIN_CREDITS: String(SKIN_CREDITS),
    ATELIER_RENDERERS: '1',
  };
}

type Wanted = (hook: string) => Promise<readonly [path: string, body: object]>;

const aPicture: Wanted = async (hook) => [
  `${SKIN}/faithful`,
  { image: (await newPicture(16, 12)).toString('base64'), webhook_url: hook },
];

const aVideo: Wanted = async (hook) => [
  `${VIDEO}/text2video`,
  {
    model: 'clipq3-pro',
    duration: 1,
    resolution: '540p',
    prompt: `a lake ${randomUUID()}`,
    callback_url: hook,
  },
];

interface Creating {
  readonly accepted: Set<string>;
  readonly receiver: Receiver;
  readonly wanted: Wanted;
}

/** Creates one task after another, and remembers those that were answered with 200. */
async function createUntilGone(server: RunningServer, key: string, { accepted, receiver, wanted }: Creating) {
  for (;;) {
    try {
      const [path, body] = await wanted(receiver.url('/hook'));
      const answer = await fetch(server.url + path, {
        method: 'POST',
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      const made = (await answer.json()) as { task_id?: string; data?: { task_id: string } };
      const id = made.task_id ?? made.data?.task_id;
      if (answer.status === 200 && id !== undefined) accepted.add(id);
      else assert.equal(answer.status, 429, JSON.stringify(made));
      await delay(20);
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error;
      return;
    }
  }
}

async function untilAllEnded(api: Client): Promise<readonly ListedTask[]> {
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

async function untilAllDelivered(api: Client): Promise<void> {
  const deadline = AbortSignal.timeout(END_MS);
  for (;;) {
    const { body } = await api.get<DeliveryPage>('/webhooks/deliveries?status=pending');
    if (body.deliveries.length === 0) return;
    assert.ok(!deadline.aborted, JSON.stringify(body.deliveries.slice(0, 5)));
    await delay(100);
  }
}

/** No request reached the vendor twice, and what it made was not made up. */
function checkVendor(tasks: readonly ListedTask[], vendors: OutsideVendors): void {
  const creates = vendors.requests.filter(({ method }) => method === 'POST');
  const prompts = creates.map((request) => (request.json() as { prompt: string }).prompt);
  assert.equal(new Set(prompts).size, prompts.length, 'a request was sent twice');
  const videos = tasks.filter(({ kind }) => kind === 'video');
  assert.ok(creates.length <= videos.length);
  assert.ok(creates.length >= videos.filter(({ state }) => GOOD.has(state)).length);
  for (const { state, error, kind } of tasks) {
    if (GOOD.has(state)) assert.equal(error, undefined);
    else assert.ok(CRASHED.has(error?.code ?? ''), `${kind}: ${JSON.stringify(error)}`);
  }
  // How much of it goes well depends on the machine.
  assert.ok(tasks.some(({ state }) => GOOD.has(state)));
}

async function wholeLedger(api: Client): Promise<Ledger> {
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
function checkCredits(tasks: readonly ListedTask[], { balance, entries }: Ledger): void {
  const sum = (numbers: readonly number[]) => numbers.reduce((all, each) => all + each, 0);
  const spent = sum(tasks.filter(({ state }) => GOOD.has(state)).map(({ credits }) => credits));
  assert.equal(balance, CREDITS - spent);
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
function checkMessages({ id, state }: ListedTask, { received }: Receiver): void {
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
