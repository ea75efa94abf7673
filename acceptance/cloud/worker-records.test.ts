import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';

import { newSubmitter, type Submitter, statusOf, submit, untilStatus } from '../support/cloud.ts';
import { admin } from '../support/people.ts';
import { cancelJobs, finishJob, giveJob, shownWorker, WORKFLOW } from '../support/scripted-jobs.ts';
import {
  connectWorker,
  helloOf,
  newWorkerToken,
  type ScriptedWorker,
  storyOf,
} from '../support/scripted-worker.ts';
import { onAnyEngine } from '../support/servers.ts';
import { until } from '../support/until.ts';

onAnyEngine(
  'a worker that gets no jobs, and what is known of it when it starts again',
  (server) => {
    let ada: Submitter;
    let token = '';
    beforeEach(async () => {
      ada = await newSubmitter(server.current);
      ({ token } = await newWorkerToken(server.current));
    });

    afterEach(async () => await cancelJobs(ada));

    const shown = async (worker: ScriptedWorker) => await shownWorker(server.current, worker);

    async function ask(
      { instance }: ScriptedWorker,
      verb: 'drain' | 'quarantine' | 'release',
    ): Promise<void> {
      const path = `/admin/workers/${instance}/${verb}`;
      const body = verb === 'quarantine' ? { reason: 'hot' } : undefined;
      assert.equal((await admin(server.current).post(path, body)).status, 204);
    }

    async function leave(worker: ScriptedWorker): Promise<void> {
      worker.socket.close();
      await until('it has left', async () => (await shown(worker)) === undefined);
    }

    test('[WRK-5] drained, it gets nothing until it is released', async () => {
      using worker = await connectWorker(server.current, token);
      await worker.next('welcome');
      await ask(worker, 'drain');
      await worker.next('drain');
      const { prompt_id: jobId } = await submit(ada.api, WORKFLOW);
      assert.equal((await shown(worker))?.state, 'draining');
      assert.equal(await statusOf(ada.api, jobId), 'pending');
      await ask(worker, 'release');
      assert.equal((await worker.next('run')).job.jobId, jobId);
    });

    test('[WRK-5] drained, it still is when it has lost its connection', async () => {
      const hello = helloOf({ isDraining: true, ready: 0 });
      {
        using before = await connectWorker(server.current, token, { hello });
        await before.next('welcome');
        await leave(before);
      }
      using worker = await connectWorker(server.current, token, { hello });
      await worker.next('welcome');
      assert.equal((await shown(worker))?.state, 'draining');
      await ask(worker, 'release');
      await worker.next('resume');
    });

    test('[WRK-5] released while it was away, it hears so', async () => {
      const hello = helloOf();
      using before = await connectWorker(server.current, token, { hello });
      const { attempt } = await giveJob(before, ada);
      await ask(before, 'drain');
      await before.next('drain');
      before.socket.terminate();
      await until('away', async () => (await shown(before))?.state === 'away');
      await ask(before, 'release');
      const attempts = [{ attempt, hasHistory: true }];
      const again = { ...hello, isDraining: true, ready: 0, attempts };
      using worker = await connectWorker(server.current, token, { hello: again });
      await worker.next('resume');
      assert.equal((await shown(worker))?.state, 'ready');
    });

    test('[WRK-5] quarantined by an administrator, it gets nothing until it is released', async () => {
      using worker = await connectWorker(server.current, token);
      await worker.next('welcome');
      await ask(worker, 'quarantine');
      assert.partialDeepStrictEqual(await shown(worker), { state: 'quarantined', reason: 'hot' });
      const { prompt_id: jobId } = await submit(ada.api, WORKFLOW);
      assert.equal(await statusOf(ada.api, jobId), 'pending');
      await ask(worker, 'release');
      assert.equal((await worker.next('run')).job.jobId, jobId);
      assert.equal((await admin(server.current).post('/admin/workers/nobody/drain')).status, 404);
    });

    for (const both of [['drain', 'quarantine'] as const, ['quarantine', 'drain'] as const]) {
      test(`[WRK-5] asked to ${both.join(' and ')}, it is released from both at once`, async () => {
        using worker = await connectWorker(server.current, token);
        await worker.next('welcome');
        for (const verb of both) await ask(worker, verb);
        assert.partialDeepStrictEqual(await shown(worker), { state: 'quarantined', reason: 'hot' });
        const { prompt_id: jobId } = await submit(ada.api, WORKFLOW);
        assert.equal(await statusOf(ada.api, jobId), 'pending');
        await worker.next('drain');
        await ask(worker, 'release');
        await worker.next('resume');
        assert.equal((await worker.next('run')).job.jobId, jobId);
      });
    }

    test('[WRK-6] an administrator has the last word while a probe runs', async () => {
      using worker = await connectWorker(server.current, token);
      await submit(ada.api, WORKFLOW);
      for (const _ of [1, 2, 3]) {
        const { attempt } = await worker.next('run');
        worker.say({ type: 'lost', attempt, number: 1, cause: 'disk', message: 'The disk is full.' });
        await worker.next('ack');
        worker.say({ type: 'ready', count: 1 });
      }
      const probe = await worker.next('run');
      await ask(worker, 'quarantine');
      finishJob(worker, { ...probe, jobId: probe.job.jobId, story: storyOf(probe.job.jobId) });
      await worker.next('ack');
      worker.say({ type: 'ready', count: 1 });
      const { prompt_id: jobId } = await submit(ada.api, WORKFLOW);
      assert.equal(await statusOf(ada.api, jobId), 'pending');
      assert.partialDeepStrictEqual(await shown(worker), { state: 'quarantined', reason: 'hot' });
    });

    test('[WRK-6] three attempts broken in a row put a worker in quarantine until a probe succeeds, also when it happens again', async () => {
      using worker = await connectWorker(server.current, token);
      for (const _time of ['first', 'again']) {
        for (const _ of [1, 2, 3]) {
          const { prompt_id } = await submit(ada.api, WORKFLOW);
          let run = await worker.next('run');
          assert.equal(run.job.jobId, prompt_id);
          const error = {
            ...storyOf(prompt_id).start.data,
            node_id: 'show',
            node_type: 'PreviewAny',
            executed: [],
            exception_message: 'no room',
            exception_type: 'DiskFull',
            traceback: [],
            current_inputs: {},
            current_outputs: [],
          };
          worker.say({
            type: 'events',
            attempt: run.attempt,
            number: 1,
            events: [{ type: 'execution_error', data: error }],
          });
          worker.say({
            type: 'end',
            attempt: run.attempt,
            number: 2,
            outcome: { status: 'error', outputs: {}, meta: {}, executed: [], error },
          });
          assert.equal(await untilStatus(ada.api, prompt_id), 'failed');
          worker.say({ type: 'ready', count: 1 });
        }
        const probe = await worker.next('run');
        assert.match(probe.job.jobId, /^probe-/);
        assert.equal((await shown(worker))?.state, 'quarantined');
        const { prompt_id: jobId } = await submit(ada.api, WORKFLOW);
        assert.equal(await statusOf(ada.api, jobId), 'pending');
        const story = storyOf(probe.job.jobId);
        worker.say({
          type: 'events',
          attempt: probe.attempt,
          number: 1,
          events: [story.start, story.success],
        });
        worker.say({ type: 'end', attempt: probe.attempt, number: 2, outcome: story.outcome('1') });
        worker.say({ type: 'ready', count: 1 });
        const last = await worker.next('run');
        assert.equal(last.job.jobId, jobId);
        const { start, success, outcome } = storyOf(jobId);
        worker.say({ type: 'events', attempt: last.attempt, number: 1, events: [start, success] });
        worker.say({ type: 'end', attempt: last.attempt, number: 2, outcome: outcome('hello') });
        worker.say({ type: 'ready', count: 1 });
        assert.equal(await untilStatus(ada.api, jobId), 'completed');
      }
    });

    test('[WRK-31] a process that is there before the one it replaces has left goes on with its record', async () => {
      using before = await connectWorker(server.current, token);
      const { attempt } = await giveJob(before, ada);
      before.say({ type: 'lost', attempt, number: 1, cause: 'disk', message: 'The disk is full.' });
      await before.next('ack');
      await ask(before, 'drain');
      using after = await connectWorker(server.current, token);
      await after.next('welcome');
      assert.equal((await shown(after))?.errors.length, 1);
      await leave(before);
      using last = await connectWorker(server.current, token);
      await last.next('welcome');
      assert.equal((await shown(last))?.errors.length, 1);
    });

    test('[WRK-31] its last errors are those of the process before', async () => {
      {
        using before = await connectWorker(server.current, token);
        const { attempt } = await giveJob(before, ada);
        before.say({ type: 'lost', attempt, number: 1, cause: 'disk', message: 'The disk is full.' });
        await before.next('ack');
        await leave(before);
      }
      using after = await connectWorker(server.current, token);
      await after.next('welcome');
      const errors = (await shown(after))?.errors ?? [];
      assert.deepEqual(
        errors.map(({ cause, message }) => [cause, message]),
        [['disk', 'The disk is full.']],
      );
      using other = await connectWorker(server.current, token, { hello: helloOf({ name: 'another' }) });
      await other.next('welcome');
      assert.deepEqual((await shown(other))?.errors, []);
    });

    test('[WRK-31] the quarantine of an administrator holds until it is released', async () => {
      {
        using before = await connectWorker(server.current, token);
        await before.next('welcome');
        await ask(before, 'quarantine');
        await leave(before);
      }
      using after = await connectWorker(server.current, token);
      await after.next('welcome');
      assert.partialDeepStrictEqual(await shown(after), { state: 'quarantined', reason: 'hot' });
      const { prompt_id: jobId } = await submit(ada.api, WORKFLOW);
      assert.equal(await statusOf(ada.api, jobId), 'pending');
      await ask(after, 'release');
      assert.equal((await after.next('run')).job.jobId, jobId);
      after.socket.terminate();
      await until('away', async () => (await shown(after))?.state === 'away');
      using last = await connectWorker(server.current, token);
      await last.next('run');
      assert.equal((await shown(last))?.state, 'ready');
    });

    test('[WRK-31] the quarantine of an administrator outlives the server', async () => {
      {
        using before = await connectWorker(server.current, token);
        await before.next('welcome');
        await ask(before, 'quarantine');
      }
      await server.restart();
      ada = await newSubmitter(server.current);
      using after = await connectWorker(server.current, token);
      await after.next('welcome');
      assert.partialDeepStrictEqual(await shown(after), { state: 'quarantined', reason: 'hot' });
    });

    test('[WRK-31] one that was put in quarantine by itself gets a probe first', async () => {
      {
        using before = await connectWorker(server.current, token);
        await submit(ada.api, WORKFLOW);
        for (const _ of [1, 2, 3]) {
          const { attempt } = await before.next('run');
          before.say({ type: 'lost', attempt, number: 1, cause: 'disk', message: 'The disk is full.' });
          await before.next('ack');
          before.say({ type: 'ready', count: 1 });
        }
        assert.match((await before.next('run')).job.jobId, /^probe-/);
        before.socket.terminate();
      }
      const { prompt_id: jobId } = await submit(ada.api, WORKFLOW);
      using after = await connectWorker(server.current, token);
      const probe = await after.next('run');
      assert.match(probe.job.jobId, /^probe-/);
      assert.match((await shown(after))?.reason ?? '', /3 attempts in a row/);
      finishJob(after, { ...probe, jobId: probe.job.jobId, story: storyOf(probe.job.jobId) });
      after.say({ type: 'ready', count: 1 });
      const run = await after.next('run');
      assert.equal(run.job.jobId, jobId);
      finishJob(after, { ...run, jobId, story: storyOf(jobId) });
      assert.equal(await untilStatus(ada.api, jobId), 'completed');
    });

    test('[WRK-31] a process that ends with several jobs has failed once', async () => {
      const hello = helloOf({ slots: 4, ready: 4 });
      {
        using before = await connectWorker(server.current, token, { hello });
        for (const _ of [1, 2, 3, 4]) await giveJob(before, await newSubmitter(server.current));
        before.socket.terminate();
        await until('away', async () => (await shown(before))?.state === 'away');
      }
      using after = await connectWorker(server.current, token, {
        hello: helloOf({ slots: 4, ready: 4 }),
      });
      for (const _ of [1, 2, 3, 4]) {
        const run = await after.next('run');
        assert.doesNotMatch(run.job.jobId, /^probe-/);
        finishJob(after, { ...run, jobId: run.job.jobId, story: storyOf(run.job.jobId) });
      }
      assert.equal((await shown(after))?.errors.length, 4);
    });
  },
  { environment: { ATELIER_RUNNERS: '0' } },
);
