import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NodeError } from '@atelier/engine';
import { requestWithRetry, startDeadline } from './retry-request.ts';
import { followTask } from './run-task.ts';
import { openService, retryAfterMs, type Service } from './service.ts';
import { KEY } from './test/pictures.ts';
import { answer, hangUp, scriptedService } from './test/scripted-service.ts';

const LOOK = { method: 'GET', path: '/proxy/videovendor/tasks/a/creations' } as const;
const WRITE = { method: 'POST', path: '/proxy/videovendor/text2video', body: {} } as const;
const SILENT = { onStanding() {}, onCrowded() {}, onPrice() {} };

/** A line whose pauses take no time. */
function quickLine(): { readonly service: Service; readonly pauses: number[] } {
  const pauses: number[] = [];
  const service = openService(
    { hidden: { apiKey: KEY } },
    {
      signal: new AbortController().signal,
      rest: async (ms) => {
        pauses.push(ms);
        await Promise.resolve();
      },
    },
  );
  return { service, pauses };
}

test('looks come further and further apart, up to five seconds', async () => {
  await using _scripted = await scriptedService({ progress: Array.from({ length: 10 }, () => 1) });
  const { service, pauses } = quickLine();
  const task = { id: 'task-1', standing: { state: 'queued' }, credits: undefined } as const;
  await requestWithRetry(service, { ...WRITE, idempotencyKey: 'k' }, { deadline: startDeadline(60_000) });
  const options = { create: 'text2video', deadline: startDeadline(60_000), watcher: SILENT } as const;
  await followTask(service, task, options);
  assert.deepEqual(
    pauses.map((ms) => Math.round(ms)),
    [250, 375, 563, 844, 1266, 1898, 2848, 4271, 5000, 5000, 5000],
  );
});

test('a task that is not done in time ends the node, which names it', async () => {
  await using _scripted = await scriptedService({ progress: Array.from({ length: 10 }, () => 1) });
  const { service } = quickLine();
  const task = { id: 'task-9', standing: { state: 'queued' }, credits: undefined } as const;
  const deadline = { totalMs: 60_000, leftMs: () => 100, passedMs: () => 59_900 };
  await assert.rejects(
    followTask(service, task, { create: 'text2video', deadline, watcher: SILENT }),
    (error) => {
      assert.ok(error instanceof NodeError);
      assert.equal(error.exceptionType, 'TimeoutError');
      assert.match(error.message, /not done after 1 minutes\. Task task-9 goes on/);
      return true;
    },
  );
});

test('Retry-After is waited for when it is longer than the own wait', async () => {
  await using scripted = await scriptedService();
  const { service, pauses } = quickLine();
  scripted.next(
    'POST ',
    (_request, response) => answer(response, 429, {}, { 'retry-after': '7' }),
    (_request, response) => answer(response, 429, {}, { 'retry-after': '0' }),
    (_request, response) => answer(response, 503, {}, { 'retry-after': '3' }),
    (_request, response) => answer(response, 409, {}, { 'retry-after': '1' }),
  );
  const crowded: number[] = [];
  const patience = { deadline: startDeadline(60_000), onCrowded: (ms: number) => void crowded.push(ms) };
  await requestWithRetry(service, { ...WRITE, idempotencyKey: 'k' }, patience);
  assert.deepEqual(pauses, [7000, 1000, 3000, 4000]);
  assert.deepEqual(crowded, [7000, 1000], 'told only when there is no room');
});

test('no room is waited out as long as there is time, a server out of reach for a minute', async () => {
  await using scripted = await scriptedService();
  const { service, pauses } = quickLine();
  const full = Array.from(
    { length: 30 },
    () => (_request: unknown, response: Parameters<typeof hangUp>[0]) => answer(response, 429, {}),
  );
  scripted.next('POST ', ...full);
  const request = { ...WRITE, idempotencyKey: 'k' };
  await requestWithRetry(service, request, { deadline: startDeadline(3_600_000) });
  assert.equal(pauses.length, 30);

  pauses.length = 0;
  scripted.next(
    'GET ',
    ...Array.from(
      { length: 30 },
      () => (_request: unknown, response: Parameters<typeof hangUp>[0]) => hangUp(response),
    ),
  );
  await assert.rejects(requestWithRetry(service, LOOK, { deadline: startDeadline(3_600_000) }), (error) => {
    assert.ok(error instanceof NodeError);
    assert.equal(error.exceptionType, 'ConnectionError');
    return true;
  });
  assert.ok(pauses.length > 5);
  assert.ok(pauses.reduce((sum, ms) => sum + ms, 0) <= 60_000);
});

test('a write without a key is never sent again', async () => {
  await using scripted = await scriptedService();
  const { service } = quickLine();
  scripted.next('POST ', (_request, response) => hangUp(response));
  await assert.rejects(requestWithRetry(service, WRITE, { deadline: startDeadline(60_000) }), NodeError);
  assert.equal(scripted.requests.length, 1);
});

test('Retry-After is seconds or a date', () => {
  const now = Date.parse('2026-01-02T03:04:05Z');
  assert.equal(retryAfterMs('12', now), 12_000);
  assert.equal(retryAfterMs('Fri, 02 Jan 2026 03:04:35 GMT', now), 30_000);
  assert.equal(retryAfterMs('Fri, 02 Jan 2026 03:00:00 GMT', now), 0);
  assert.equal(retryAfterMs('soon', now), undefined);
  assert.equal(retryAfterMs(null, now), undefined);
});
