import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { PATIENCE_MS } from '@atelier/testing';

import { type ListedTask, tasksOf } from './generation.ts';
import type { Client } from './http-client.ts';

const STEP_MS = 10;

/** Waits until one of the newest hundred tasks is as wanted. */
export async function untilSome(api: Client, isWanted: (task: ListedTask) => boolean): Promise<void> {
  const deadline = AbortSignal.timeout(PATIENCE_MS);
  for (;;) {
    const { tasks } = await tasksOf(api, 'limit=100');
    if (tasks.some(isWanted)) return;
    assert.ok(!deadline.aborted, `no task is as wanted: ${JSON.stringify(tasks.slice(0, 3))}`);
    await delay(STEP_MS);
  }
}

/** Waits until a task is in a state, in the words of its own route. */
export async function untilState(api: Client, taskId: string, wanted: string): Promise<void> {
  await untilSome(api, ({ id, state }) => id === taskId && state === wanted);
}
