import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Worker } from '@atelier/contracts';
import {
  createPostgresDatabase,
  PATIENCE_MS,
  type RunningServer,
  startServer,
  type TestDatabase,
} from '@atelier/testing';

import { newSubmitter, statusOf, submit, untilStatus } from '../support/cloud.ts';
import { client } from '../support/http-client.ts';
import { admin } from '../support/people.ts';
import { giveJob } from '../support/scripted-jobs.ts';
import {
  connectWorker,
  helloOf,
  newWorkerToken,
  type ScriptedWorker,
  storyOf,
} from '../support/scripted-worker.ts';
import { startSecond } from '../support/second-server.ts';
import '../support/servers.ts';
import { watch } from '../support/sockets.ts';
import { until } from '../support/until.ts';

/** What the owner sees of the job, each once. */
const TOLD = [
  'execution_start',
  'execution_cached',
  'executing',
  'executed',
  'execution_success',
  'executing',
];
const WORKFLOW = { show: { class_type: 'PreviewAny', inputs: { source: 'hello' } } };

describe('workers of two servers', { timeout: 4 * PATIENCE_MS }, () => {
  let database: TestDatabase;
  let first: RunningServer;
  let second: Awaited<ReturnType<typeof startSecond>>;
  before(async () => {
    database = await createPostgresDatabase();
    const environment = { ATELIER_RUNNERS: '0', ATELIER_DATABASE_URL: database.url };
    first = await startServer({ environment });
    second = await startSecond(first, environment);
  });
  after(async () => {
    await second[Symbol.asyncDispose]();
    await first[Symbol.asyncDispose]();
    await database.drop();
  });

  test('[WRK-5] [WRK-31] are drained, put in quarantine and released at either of them', async () => {
    const { token } = await newWorkerToken(first);
    using worker = await connectWorker(first, token);
    await worker.next('welcome');
    const there = client(second.url, { apiKey: first.admin.api_key });
    const shown = async ({ instance }: ScriptedWorker) => {
      const { body } = await there.get<{ workers: Worker[] }>('/admin/workers');
      return body.workers.find(({ id }) => id === instance);
    };
    const ask = async (what: string, body?: object) =>
      assert.equal((await there.post(`/admin/workers/${worker.instance}/${what}`, body)).status, 204);
    await until('known there', async () => await shown(worker));
    for (const [what, state] of [
      ['drain', 'draining'],
      ['release', 'ready'],
      ['quarantine', 'quarantined'],
    ] as const) {
      await ask(what, what === 'quarantine' ? { reason: 'hot' } : undefined);
      await until(state, async () => (await shown(worker))?.state === state);
    }
    using moved = await connectWorker(second, token, { hello: helloOf({ ready: 0 }) });
    await moved.next('welcome');
    assert.partialDeepStrictEqual(await shown(moved), { state: 'quarantined', reason: 'hot' });
    await ask('release');
    await until('ready', async () => (await shown(worker))?.state === 'ready');
    // Both, though the other server hears of them at once.
    await ask('quarantine', { reason: 'hot' });
    await ask('drain');
    await until('quarantined', async () => (await shown(worker))?.state === 'quarantined');
    await until('drained', () => worker.received.filter(({ type }) => type === 'drain').length === 2);
    await ask('drain');
    await ask('release');
    await until('ready', async () => (await shown(worker))?.state === 'ready');
  });

  test('[WRK-5] one that has moved is asked where it is now, and is shown once', async () => {
    const ada = await newSubmitter(first);
    const { token } = await newWorkerToken(first);
    const hello = helloOf();
    using worker = await connectWorker(first, token, { hello });
    const { attempt, jobId, job, story } = await giveJob(worker, ada);
    worker.socket.terminate();
    const key = job.files.kind === 'server' ? job.files.key : '';
    using moved = await connectWorker(second, token, {
      hello: { ...hello, ready: 0, attempts: [{ attempt, hasHistory: true, key }] },
    });
    moved.say({ type: 'history', attempt, number: 1, events: [story.start, story.cached] });
    const path = `/admin/workers/${worker.instance}`;
    const states = async () => {
      const { body } = await admin(first).get<{ workers: Worker[] }>('/admin/workers');
      return body.workers.filter(({ id }) => id === worker.instance).map(({ state }) => state);
    };
    assert.equal((await admin(first).post(`${path}/drain`)).status, 204);
    await moved.next('drain');
    await until('shown once', async () => (await states()).join() === 'draining');
    moved.say({
      type: 'events',
      attempt,
      number: 2,
      events: [story.executing, story.executed('hello'), story.success],
    });
    moved.say({ type: 'end', attempt, number: 3, outcome: story.outcome('hello') });
    assert.equal(await untilStatus(ada.api, jobId), 'completed');
  });

  test('[WRK-12] a worker goes on with its job at another server, and no event is sent twice', async () => {
    const ada = await newSubmitter(first);
    const { token } = await newWorkerToken(first);
    using watcher = await watch(second.url, ada.key);
    const hello = helloOf();
    using before_ = await connectWorker(first, token, { hello });
    const { prompt_id: jobId } = await submit(ada.api, WORKFLOW);
    const { attempt, job } = await before_.next('run');
    assert.equal(job.files.kind, 'server');
    const key = job.files.kind === 'server' ? job.files.key : '';
    const story = storyOf(jobId);
    before_.say({ type: 'events', attempt, number: 1, events: [story.start, story.cached] });
    await watcher.find('the beginning', ({ type }) => type === 'execution_cached');
    first.process.kill('SIGKILL');

    using stranger = await connectWorker(second, token, {
      hello: helloOf({ ready: 0, attempts: [{ attempt, hasHistory: true, key: 'wrong' }] }),
    });
    assert.deepEqual((await stranger.next('welcome')).attempts, []);
    using back = await connectWorker(second, token, {
      hello: { ...hello, ready: 0, attempts: [{ attempt, hasHistory: true, key }] },
    });
    assert.deepEqual((await back.next('welcome')).attempts, [{ attempt, after: 'history' }]);
    back.say({ type: 'history', attempt, number: 2, events: [story.start, story.cached, story.executing] });
    back.say({ type: 'events', attempt, number: 3, events: [story.executed('hello'), story.success] });
    back.say({ type: 'end', attempt, number: 4, outcome: story.outcome('hello') });
    await watcher.end(jobId);

    assert.deepEqual(
      watcher.about(jobId).map(({ type }) => type),
      TOLD,
    );
    const api = client(second.url, { apiKey: ada.key });
    assert.equal(await statusOf(api, jobId), 'completed');
    assert.ok(
      await until('the ack', () => back.received.find((each) => each.type === 'ack' && each.number === 4)),
    );
  });
});

test('[WRK-12] a worker goes on with its job when the only server of SQLite starts again, and so do those who watch', {
  timeout: 4 * PATIENCE_MS,
}, async () => {
  let server = await startServer({ environment: { ATELIER_RUNNERS: '0' } });
  try {
    const ada = await newSubmitter(server);
    const { token } = await newWorkerToken(server);
    const hello = helloOf();
    using before_ = await connectWorker(server, token, { hello });
    const { prompt_id: jobId } = await submit(ada.api, WORKFLOW);
    const { attempt, job } = await before_.next('run');
    const story = storyOf(jobId);
    before_.say({ type: 'events', attempt, number: 1, events: [story.start, story.cached] });
    await server.stop('SIGKILL');
    server = await server.restart();
    const key = job.files.kind === 'server' ? job.files.key : '';
    using watcher = await watch(server.url, ada.key);
    const stream = await fetch(`${server.url}/api/jobs/${jobId}/events`, {
      headers: { 'x-api-key': ada.key, 'last-event-id': '1-2' },
    });
    using back = await connectWorker(server, token, {
      hello: { ...hello, ready: 0, attempts: [{ attempt, hasHistory: true, key }] },
    });
    assert.deepEqual((await back.next('welcome')).attempts, [{ attempt, after: 'history' }]);
    const events = [story.start, story.cached, story.executing, story.executed('hello'), story.success];
    back.say({ type: 'history', attempt, number: 2, events });
    back.say({ type: 'end', attempt, number: 3, outcome: story.outcome('hello') });
    await watcher.end(jobId);
    const ids = (await stream.text()).matchAll(/^id: (.*)$/gm).map(([, id]) => id);
    assert.deepEqual([...ids], ['1-3', '1-4', '1-5', 'end']);
    assert.equal(await statusOf(client(server.url, { apiKey: ada.key }), jobId), 'completed');
  } finally {
    await server[Symbol.asyncDispose]();
  }
});
