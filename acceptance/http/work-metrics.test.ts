import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { startServer } from '@atelier/testing';

import { finish, newSubmitter, submit, untilStatus } from '../support/cloud.ts';
import { createVideo, newArtist, videoLooks } from '../support/generation.ts';
import { HOLDING, runHeld } from '../support/held-jobs.ts';
import { type Measured, measure, untilMeasured } from '../support/metrics.ts';
import { type OutsideVendors, startOutsideVendors } from '../support/outside-vendors.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { onEachEngine } from '../support/servers.ts';
import { watch } from '../support/sockets.ts';
import { until } from '../support/until.ts';
import { failingWorkflow, pictureWorkflow, textWorkflow } from '../support/workflows.ts';

let vendors: OutsideVendors;
let receiver: Receiver;
before(async () => {
  vendors = await startOutsideVendors();
  receiver = await startReceiver();
});
after(async () => {
  receiver.close();
  await vendors[Symbol.asyncDispose]();
});

const jobs = (measured: Measured, state: string) => measured.of('atelier_jobs', { state });
const ended = (measured: Measured, status: string) => measured.of('atelier_jobs_ended_total', { status });
const tasks = (measured: Measured, state: string) =>
  measured.of('atelier_tasks', { adapter: 'video-http', state });

onEachEngine(
  'measurements of the work',
  (server) => {
    const read = async () => await measure(server.current.url);
    const untilRead = async (what: string, isWanted: (measured: Measured) => boolean) =>
      await untilMeasured(server.current.url, what, isWanted);

    test('a job is seen waiting and running, and counted by how it ended', async () => {
      const { api } = await newSubmitter(server.current, 'standard');
      const start = await read();
      const held = await runHeld(server.current, api);
      const behind = await submit(api, textWorkflow());
      const busy = await read();
      assert.equal(jobs(busy, 'running'), jobs(start, 'running') + 1);
      assert.equal(jobs(busy, 'waiting'), jobs(start, 'waiting') + 1);
      assert.equal((await api.post(`/api/jobs/${behind.prompt_id}/cancel`)).status, 200);
      await held.letGo();
      await untilStatus(api, held.prompt_id);
      assert.equal((await finish(api, failingWorkflow())).status, 'failed');

      const later = await untilRead('the ends', (now) => ended(now, 'failed') > ended(start, 'failed'));
      for (const status of ['completed', 'failed', 'cancelled']) {
        assert.equal(ended(later, status), ended(start, status) + 1, status);
      }
      assert.equal(jobs(later, 'running'), 0);
      assert.equal(jobs(later, 'waiting'), 0);
      const waits = 'atelier_job_wait_seconds_count';
      assert.equal(later.of(waits), start.of(waits) + 2, 'the cancelled one has never begun');
      const runs = (now: Measured) => now.of('atelier_job_run_seconds_count', { status: 'completed' });
      assert.equal(runs(later), runs(start) + 1);
    });

    test('what users keep and hold open is seen', async () => {
      const { api, key } = await newSubmitter(server.current);
      const start = await read();
      assert.equal((await finish(api, pictureWorkflow())).status, 'completed');
      assert.ok((await read()).of('atelier_storage_bytes') > start.of('atelier_storage_bytes'));

      const sockets = (now: Measured) => now.of('atelier_connections', { kind: 'websocket' });
      const watcher = await watch(server.current.url, key);
      assert.equal(sockets(await read()), sockets(start) + 1);
      watcher[Symbol.dispose]();
      await untilRead('the socket to close', (now) => sockets(now) === sockets(start));
    });

    test('a task is seen while its vendor has it, and counted by how it ended', async () => {
      const { api } = await newArtist(server.current);
      const start = await read();
      const prompt = `waves ${randomUUID()}`;
      vendors.plan(prompt, { looks: ['running', 'done'] });
      const { task_id } = await createVideo(api, { model: 'clipq3-pro', prompt, duration: 1 });
      await untilRead(
        'the vendor to have it',
        (now) => tasks(now, 'running') === tasks(start, 'running') + 1,
      );
      await vendors.tell(server.current.url, prompt);
      await vendors.tell(server.current.url, prompt);
      assert.equal((await videoLooks(api, task_id)).at(-1)?.state, 'success');

      const done = { kind: 'video', outcome: 'done' };
      const later = await read();
      for (const name of ['atelier_tasks_ended_total', 'atelier_task_seconds_count']) {
        assert.equal(later.of(name, done), start.of(name, done) + 1, name);
      }
      for (const call of ['begin', 'check']) {
        const labels = { adapter: 'video-http', call, outcome: 'answered' };
        const calls = 'atelier_vendor_calls_total';
        assert.ok(later.of(calls, labels) > start.of(calls, labels), call);
      }
      for (const state of ['waiting', 'running', 'put_off']) assert.equal(tasks(later, state), 0, state);
    });

    test('tries of webhooks are counted by what came of them', async () => {
      const { api } = await newSubmitter(server.current);
      const start = await read();
      const tries = (now: Measured, outcome: string) => now.of('atelier_webhook_tries_total', { outcome });
      for (const [outcome, status] of Object.entries({ delivered: 204, failed: 503, given_up: 410 })) {
        const path = `/${outcome}-${server.engine}`;
        receiver.answer(path, { status });
        await submit(api, textWorkflow(), { webhook_url: receiver.url(path) });
        await until(`${outcome} to be tried`, () => receiver.at(path).length > 0);
        await untilRead(outcome, (now) => tries(now, outcome) === tries(start, outcome) + 1);
      }
      const later = await untilRead(
        'nothing to be due',
        (now) => now.of('atelier_webhook_deliveries_due') === 0,
      );
      assert.equal(later.of('atelier_webhook_endpoints_paused'), 0);
    });

    test('nothing of a user is in a label, and no series is missing', async () => {
      const { api, id } = await newSubmitter(server.current);
      const { prompt_id } = await submit(api, textWorkflow(), { webhook_url: receiver.url('/secret-path') });
      await until('the message', () => receiver.at('/secret-path').length > 0);
      const { names } = await read();
      for (const word of [id, prompt_id, 'secret-path', String(receiver.port)]) {
        assert.deepEqual(
          names.filter((name) => name.includes(word)),
          [],
          word,
        );
      }
      assert.doesNotMatch(names.join('\n'), /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}/);
      const own = names.filter((name) => !name.startsWith('atelier_http_') && !name.includes('_bucket{'));
      assert.ok(own.length < 150, `${own.length} series`);
      const reads = own.flatMap((name) => /read_failures_total\{metric="(.*)"/.exec(name)?.[1] ?? []);
      assert.deepEqual(reads.toSorted(), [
        ...(server.engine === 'postgres' ? ['atelier_bus_open'] : []),
        'atelier_check_ok',
        'atelier_connections',
        'atelier_disk_free_bytes',
        'atelier_disk_min_free_bytes',
        'atelier_jobs',
        'atelier_label_slots',
        'atelier_label_waiting_jobs',
        'atelier_label_waiting_seconds',
        'atelier_storage_bytes',
        'atelier_tasks',
        'atelier_waiting_jobs',
        'atelier_webhook_deliveries_due',
        'atelier_webhook_endpoints_paused',
        'atelier_worker_slots',
        'atelier_workers',
      ]);
    });

    test('a job that was lost with its server is counted when it returns to the queue', async () => {
      const { api } = await newSubmitter(server.current);
      await runHeld(server.current, api);
      assert.equal((await read()).of('atelier_jobs_returned_total'), 0);
      await server.current.stop('SIGKILL');
      await server.restart();
      await untilRead('the job to return', (now) => now.of('atelier_jobs_returned_total') === 1);
    });
  },
  {
    environment: async () => ({
      ...HOLDING,
      ...vendors.settings,
      ATELIER_OUTBOUND_ALLOW: `127.0.0.1:${vendors.port},127.0.0.1:${receiver.port}`,
    }),
  },
);

describe('the guide for operators', () => {
  test('has every series of the server, with its kind, and no other', async () => {
    // There are more of them where several servers can be.
    await using server = await startServer({ engine: 'postgres' });
    const { text } = await measure(server.url);
    const told = [...text.matchAll(/^# TYPE (atelier_\w+) (\w+)$/gm)].map(
      ([, name, kind]) => `${name} ${kind}`,
    );
    const guide = await readFile(
      join(import.meta.dirname, '../../docs/guide/operating-reference.md'),
      'utf8',
    );
    const rows = [...guide.matchAll(/^\| `(atelier_\w+)` +\| (\w+)/gm)].map(
      ([, name, kind]) => `${name} ${kind}`,
    );
    assert.deepEqual(rows.toSorted(), told.toSorted());
  });
});

describe('a measurement that cannot be read', () => {
  test('is left out and counted, and the others are reported', async () => {
    await using server = await startServer();
    assert.equal((await measure(server.url)).of('atelier_storage_bytes'), 0);
    // The server writes too, right after its start.
    const database = new DatabaseSync(join(server.dataFolder, 'atelier.sqlite'), { timeout: 30_000 });
    database.exec('alter table storage_use rename to storage_use_gone');
    database.close();
    const broken = await measure(server.url);
    assert.equal(broken.has('atelier_storage_bytes'), false);
    const failures = 'atelier_metric_read_failures_total';
    assert.equal(broken.of(failures, { metric: 'atelier_storage_bytes' }), 1);
    assert.equal(broken.of(failures, { metric: 'atelier_jobs' }), 0);
    assert.equal(jobs(broken, 'waiting'), 0);
    await until('the line in the log', () =>
      server.output().includes('atelier_storage_bytes could not be read') ? true : undefined,
    );
  });
});
