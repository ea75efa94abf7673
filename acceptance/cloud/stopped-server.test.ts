import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { createPostgresDatabase, PATIENCE_MS, startServer } from '@atelier/testing';

import { newSubmitter, submit, untilStatus } from '../support/cloud.ts';
import { HOLDING } from '../support/held-jobs.ts';
import { startSecond } from '../support/second-server.ts';
import '../support/servers.ts';
import { type Message, watch } from '../support/sockets.ts';
import { until } from '../support/until.ts';
import { textWorkflow } from '../support/workflows.ts';

test('[JOB-29] a server that stood still says nothing of jobs that others have taken, and its watchers connect again', {
  timeout: 2 * PATIENCE_MS,
}, async (t) => {
  const database = await createPostgresDatabase();
  t.after(database.drop);
  const environment = { ...HOLDING, ATELIER_RUNNERS: '1', ATELIER_DATABASE_URL: database.url };
  const a = await startServer({ environment });
  t.after(async () => await a[Symbol.asyncDispose]());
  const { api, key } = await newSubmitter(a);
  const path = join(a.dataFolder, 'enough');
  const { prompt_id: id } = await submit(api, { '1': { class_type: 'TestSteps', inputs: { until: path } } });
  await untilStatus(api, id, ['in_progress']);
  const b = await startSecond(a, environment);
  t.after(async () => await b[Symbol.asyncDispose]());
  using onA = await watch(a.url, key);
  using onB = await watch(b.url, key);
  const stream = async (lastId = '') =>
    await fetch(`${a.url}/api/jobs/${id}/events`, { headers: { 'x-api-key': key, 'last-event-id': lastId } });
  const streamed = (await stream()).text();
  const isStep = ({ type }: Message) => type === 'progress';
  await onA.find('a step on A', isStep);
  await onB.find('a step on B', isStep);

  a.process.kill('SIGSTOP');
  const stoppedAt = performance.now();
  // B was told of the first one when it started.
  const starts = () => onB.messages('execution_start').filter(({ data }) => data['prompt_id'] === id);
  await until('the second attempt', () => starts().length > 1);
  await writeFile(path, '');
  await onB.end(id);
  // The lease may have ended earlier; A counts as away after its whole length.
  await delay(Math.max(stoppedAt + AWAY_MS - performance.now(), 0));
  const before = onA.frames.length;
  const closed = once(onA.socket, 'close', { signal: AbortSignal.timeout(PATIENCE_MS) }) as Promise<[number]>;
  a.process.kill('SIGCONT');

  assert.equal((await closed)[0], 1012);
  // The steps that were being sent when the process stopped may still leave: numbers, pictures, texts and the state of the nodes.
  const late = onA.frames.slice(before);
  assert.ok(late.length <= MAX_LATE, JSON.stringify(late));
  const text = await streamed;
  const lastId = [...text.matchAll(/^id: (.+)$/gm)].at(-1)?.[1];
  const whole = text + (await (await stream(lastId)).text());
  assert.equal(whole.match(/^event: execution_success$/gm)?.length, 1, whole);

  using again = await watch(a.url, key);
  const next = await submit(api, textWorkflow());
  await Promise.all([again.end(next.prompt_id), onB.end(next.prompt_id)]);
  assert.deepEqual(again.about(id), []);
  assert.deepEqual(onB.about(id).at(-1)?.data, { node: null, prompt_id: id });
  await until('nothing is left', () => lastCount(again.messages('status')) === 0 || undefined);
});

/** Longer than the 12 seconds that other servers wait. */
const AWAY_MS = 14_000;

/** The worker makes hundreds of steps a second, so this is a fraction of one. */
const MAX_LATE = 40;

function lastCount(messages: readonly Message[]): unknown {
  return messages.at(-1)?.data['queue_remaining'];
}
