import assert from 'node:assert/strict';
import { once } from 'node:events';
import { afterEach, beforeEach, test } from 'node:test';
import { WORKER_CLOSE, WORKER_PATH, WORKER_SUBPROTOCOL } from '@atelier/contracts';

import { newSubmitter, type Submitter, statusOf, submit, untilStatus } from '../support/cloud.ts';
import { client } from '../support/http-client.ts';
import { admin } from '../support/people.ts';
import { cancelJobs, finishJob, giveJob, shownWorker, WORKFLOW } from '../support/scripted-jobs.ts';
import {
  connectWorker,
  helloOf,
  newWorkerToken,
  type ScriptedWorker,
  storyOf,
  workerSocket,
} from '../support/scripted-worker.ts';
import { onAnyEngine } from '../support/servers.ts';
import { watch } from '../support/sockets.ts';
import { until } from '../support/until.ts';

onAnyEngine(
  'the worker protocol',
  (server) => {
    let ada: Submitter;
    let token = '';
    let tokenId = '';
    beforeEach(async () => {
      ada = await newSubmitter(server.current);
      ({ token, id: tokenId } = await newWorkerToken(server.current));
    });

    afterEach(async () => await cancelJobs(ada));

    const shown = async (worker: ScriptedWorker) => await shownWorker(server.current, worker);

    const given = async (worker: ScriptedWorker, by = ada) => await giveJob(worker, by);

    const attemptsAt = async (worker: ScriptedWorker) =>
      (await shown(worker))?.jobs.map(({ job_id, attempt }) => `${job_id}/${attempt}`);

    test('[WRK-1] a job is sent to a worker that is ready, and its events and end reach the user', async () => {
      using watcher = await watch(server.current.url, ada.key);
      using worker = await connectWorker(server.current, token);
      const job = await given(worker);
      assert.deepEqual(await attemptsAt(worker), [`${job.jobId}/1`]);
      finishJob(worker, job);
      await watcher.end(job.jobId);
      assert.equal(await statusOf(ada.api, job.jobId), 'completed');
      const types = watcher.about(job.jobId).map(({ type }) => type);
      assert.deepEqual(
        types.filter((type) => type !== 'progress_state'),
        ['execution_start', 'execution_cached', 'executing', 'executed', 'execution_success', 'executing'],
      );
      assert.ok(
        await until('the ack of the end', () =>
          worker.received.find((each) => each.type === 'ack' && each.number === 2),
        ),
      );
    });

    test('[WRK-3] what is still on its way through the connection before is taken once', async () => {
      const hello = helloOf();
      using before = await connectWorker(server.current, token, { hello });
      const job = await given(before);
      // It does not hear that it was replaced, as when the server stood still.
      before.socket.pause();
      const attempts = [{ attempt: job.attempt, hasHistory: true }];
      using after = await connectWorker(server.current, token, { hello: { ...hello, ready: 0, attempts } });
      assert.deepEqual((await after.next('welcome')).attempts, [{ attempt: job.attempt, after: 0 }]);
      before.say({ type: 'events', attempt: job.attempt, number: 1, events: [job.story.start] });
      before.say('no json');
      finishJob(after, job);
      assert.equal(await untilStatus(ada.api, job.jobId), 'completed');
      assert.deepEqual((await shown(after))?.errors, []);
    });

    test('[WRK-1] a worker that is not ready gets nothing, and one at a time when it has one slot', async () => {
      using worker = await connectWorker(server.current, token, { hello: helloOf({ ready: 0 }) });
      await worker.next('welcome');
      const { prompt_id: first } = await submit(ada.api, WORKFLOW);
      const { prompt_id: second } = await submit(ada.api, WORKFLOW);
      assert.equal(
        worker.received.some(({ type }) => type === 'run'),
        false,
      );
      worker.say({ type: 'ready', count: 1 });
      const run = await worker.next('run');
      assert.equal(run.job.jobId, first);
      finishJob(worker, { ...run, jobId: first, story: storyOf(first) });
      await untilStatus(ada.api, first);
      assert.equal(await statusOf(ada.api, second), 'pending');
      worker.say({ type: 'ready', count: 1 });
      assert.equal((await worker.next('run')).job.jobId, second);
    });

    test('[WRK-2] a cancel reaches the worker at once, and what it still says is ignored', async () => {
      using worker = await connectWorker(server.current, token);
      const job = await given(worker);
      await ada.api.post(`/api/jobs/${job.jobId}/cancel`);
      assert.equal((await worker.next('cancel')).attempt, job.attempt);
      finishJob(worker, job);
      await until('the ack', () => worker.received.find((each) => each.type === 'ack'));
      assert.equal(await statusOf(ada.api, job.jobId), 'cancelled');
      assert.equal((await shown(worker))?.state, 'ready');
    });

    test('[WRK-3] a worker that comes back in time goes on where the server was', async () => {
      using watcher = await watch(server.current.url, ada.key);
      const hello = helloOf();
      using before = await connectWorker(server.current, token, { hello });
      const job = await given(before);
      const { attempt, story } = job;
      before.say({ type: 'events', attempt, number: 1, events: [story.start, story.cached] });
      await watcher.find('the start', ({ type }) => type === 'execution_start');
      before.socket.terminate();
      await until('away', async () => ((await shown(before))?.state === 'away' ? true : undefined));
      using back = await connectWorker(server.current, token, {
        hello: { ...hello, ready: 0, attempts: [{ attempt, hasHistory: true }] },
      });
      assert.deepEqual((await back.next('welcome')).attempts, [{ attempt, after: 1 }]);
      back.say({
        type: 'events',
        attempt,
        number: 2,
        events: [story.executing, story.executed('hello'), story.success],
      });
      back.say({ type: 'end', attempt, number: 3, outcome: story.outcome('hello') });
      await watcher.end(job.jobId);
      assert.equal(watcher.about(job.jobId).filter(({ type }) => type === 'execution_start').length, 1);
      assert.equal(await statusOf(ada.api, job.jobId), 'completed');
    });

    test('[WRK-3] what the server does not want any more is not named in the welcome', async () => {
      using worker = await connectWorker(server.current, token, {
        hello: helloOf({ attempts: [{ attempt: 'another-job/1', hasHistory: false }] }),
      });
      assert.deepEqual((await worker.next('welcome')).attempts, []);
    });

    test('[WRK-3] an attempt that has just ended is not taken over from a worker that has not heard so', async () => {
      using watcher = await watch(server.current.url, ada.key);
      const hello = helloOf();
      using before = await connectWorker(server.current, token, { hello });
      using back = await connectWorker(server.current, token, { hello: null });
      const job = await given(before);
      const key = job.job.files.kind === 'server' ? job.job.files.key : '';
      finishJob(before, job);
      await before.next('ack');
      back.say({ ...hello, ready: 0, attempts: [{ attempt: job.attempt, hasHistory: true, key }] });
      assert.deepEqual((await back.next('welcome')).attempts, []);
      await watcher.end(job.jobId);
      assert.equal(watcher.about(job.jobId).filter(({ type }) => type === 'executed').length, 1);
      assert.equal(await statusOf(ada.api, job.jobId), 'completed');
    });

    test('[WRK-4] a job whose worker lost it runs again, elsewhere or in the same place', async () => {
      using worker = await connectWorker(server.current, token);
      const { jobId, attempt } = await given(worker);
      worker.say({ type: 'lost', attempt, number: 1, cause: 'device', message: 'CUDA error' });
      assert.equal((await shown(worker))?.errors[0]?.cause, 'device');
      using other = await connectWorker(server.current, token);
      const again = await other.next('run');
      assert.equal(again.attempt, `${jobId}/2`);
      finishJob(other, { ...again, jobId, story: storyOf(jobId) });
      assert.equal(await untilStatus(ada.api, jobId), 'completed');
    });

    test('[WRK-4] a job that a worker returns counts for nothing, however often', async () => {
      using worker = await connectWorker(server.current, token);
      const { prompt_id: jobId } = await submit(ada.api, WORKFLOW);
      for (let count = 0; count < 4; count += 1) {
        const { attempt } = await worker.next('run');
        worker.say({ type: 'lost', attempt, number: 1, cause: 'returned', message: 'It was not begun.' });
        worker.say({ type: 'ready', count: 1 });
      }
      const { attempt } = await worker.next('run');
      assert.equal(attempt, `${jobId}/1`);
      assert.deepEqual((await shown(worker))?.errors, []);
    });

    test('[WRK-15] a worker on another machine that starts again while it is away has crashed; the second time its job fails', async () => {
      const { prompt_id: jobId } = await submit(ada.api, WORKFLOW);
      for (const _time of ['first', 'second']) {
        using worker = await connectWorker(server.current, token);
        assert.equal((await worker.next('run')).job.jobId, jobId);
        worker.socket.terminate();
        await until('away', async () => (await shown(worker))?.state === 'away');
      }
      using last = await connectWorker(server.current, token);
      assert.equal(await untilStatus(ada.api, jobId), 'failed');
      const { body } = await ada.api.get<{ execution_error: { exception_message: string } }>(
        `/api/jobs/${jobId}`,
      );
      assert.match(body.execution_error.exception_message, /failed 2 times while running this job/);
      assert.equal(
        last.received.some(({ type }) => type === 'run'),
        false,
      );
    });

    test('[WRK-15] another worker with the same token and name ends no attempt of one that is connected, or of another name', async () => {
      using worker = await connectWorker(server.current, token);
      const job = await given(worker);
      using _twin = await connectWorker(server.current, token, { hello: helloOf({ ready: 0 }) });
      using away = await connectWorker(server.current, token, { hello: helloOf({ name: 'away' }) });
      const other = await given(away);
      away.socket.terminate();
      await until('away', async () => (await shown(away))?.state === 'away');
      using third = await connectWorker(server.current, token, { hello: helloOf({ ready: 0 }) });
      await third.next('welcome');
      assert.deepEqual(await attemptsAt(away), [`${other.jobId}/1`]);
      finishJob(worker, job);
      assert.equal(await untilStatus(ada.api, job.jobId), 'completed');
    });

    test('[WRK-7] a token opens the WebSocket of workers and nothing else', async () => {
      assert.equal((await client(server.current.url, { apiKey: token }).get('/api/jobs')).status, 401);
      assert.equal((await client(server.current.url, { bearer: token }).get('/admin/workers')).status, 401);
      for (const wrong of ['', 'wrong', ada.key, `${token}x`]) assert.equal(await refusal(wrong), 401);
      await admin(server.current).delete(`/admin/worker-tokens/${tokenId}`);
      assert.equal(await refusal(token), 401);
    });

    async function refusal(with_: string, protocol = WORKER_SUBPROTOCOL): Promise<number | undefined> {
      const socket = workerSocket(server.current, { token: with_, protocol });
      socket.on('error', () => {});
      const [, response] = (await once(socket, 'unexpected-response')) as [unknown, { statusCode?: number }];
      socket.terminate();
      return response.statusCode;
    }

    test('[WRK-7] workers are for administrators to see', async () => {
      assert.equal((await ada.api.get('/admin/workers')).status, 403);
      assert.equal((await ada.api.post('/admin/worker-tokens', { name: 'mine' })).status, 403);
      assert.equal((await ada.api.get('/admin/worker-tokens')).status, 403);
    });

    test('[WRK-7] tokens are listed without their secrets, renamed, and given other labels', async () => {
      const path = '/admin/worker-tokens';
      const changed = await admin(server.current).patch(`${path}/${tokenId}`, {
        name: 'renamed',
        labels: ['gpu'],
      });
      assert.partialDeepStrictEqual(changed.body, { id: tokenId, name: 'renamed', labels: ['gpu'] });
      const { body } = await admin(server.current).get<{ worker_tokens: { id: string }[] }>(path);
      assert.ok(body.worker_tokens.some(({ id }) => id === tokenId));
      assert.equal(JSON.stringify(body).includes(token), false);
      using worker = await connectWorker(server.current, token);
      await worker.next('welcome');
      const any = await admin(server.current).patch(`${path}/${tokenId}`, { labels: null });
      assert.equal('labels' in any.body, false);
      for (const wrong of [{ name: '' }, { name: 'two\nlines' }, { labels: ['Not a label'] }]) {
        assert.equal((await admin(server.current).post(path, { name: 'x', ...wrong })).status, 400);
      }
      assert.equal((await admin(server.current).patch(`${path}/nobody`, { name: 'x' })).status, 404);
      assert.equal((await admin(server.current).patch(`${path}/${tokenId}`, {})).status, 400);
      assert.equal((await admin(server.current).delete(`${path}/nobody`)).status, 404);
    });

    test('[WRK-7] a revoked token ends its connections, and labels beyond those of the token are refused', async () => {
      const limited = await newWorkerToken(server.current, { labels: ['gpu'] });
      using wrong = await connectWorker(server.current, limited.token, {
        hello: helloOf({ labels: ['cpu'] }),
      });
      const { code, reason } = await wrong.closed();
      assert.equal(code, WORKER_CLOSE.refused);
      assert.match(reason, /allows the labels gpu, but not cpu/);
      // The label of its kind needs no leave.
      using comfyui = await connectWorker(server.current, limited.token, {
        hello: helloOf({ kind: 'comfyui', labels: ['gpu', 'comfyui'] }),
      });
      await comfyui.next('welcome');
      using worker = await connectWorker(server.current, limited.token, {
        hello: helloOf({ labels: ['gpu'] }),
      });
      await worker.next('welcome');
      using other = await connectWorker(server.current, limited.token, {
        hello: helloOf({ labels: ['gpu'] }),
      });
      await other.next('welcome');
      other.say({ type: 'offer', labels: ['cpu'], memoryBytes: 1, gpus: [], models: {} });
      assert.equal((await other.closed()).code, WORKER_CLOSE.refused);
      await admin(server.current).delete(`/admin/worker-tokens/${limited.id}`);
      assert.equal((await worker.closed()).code, WORKER_CLOSE.refused);
    });

    test('[WRK-7] a worker cannot take the place of one with another token, but comes back with its own', async () => {
      using worker = await connectWorker(server.current, token);
      await worker.next('welcome');
      const hello = helloOf({ instance: worker.instance });
      const { token: another } = await newWorkerToken(server.current);
      using thief = await connectWorker(server.current, another, { hello });
      assert.equal((await thief.closed()).code, WORKER_CLOSE.refused);
      const { prompt_id: jobId } = await submit(ada.api, WORKFLOW);
      assert.equal((await worker.next('run')).job.jobId, jobId);
      using again = await connectWorker(server.current, token, { hello });
      await again.next('welcome');
      assert.equal((await worker.closed()).code, WORKER_CLOSE.replaced);
    });

    test('[WRK-8] another version of the protocol is refused, and both versions are named', async () => {
      assert.equal(await refusal(token, 'atelier.worker.v99'), 426);
      const protocols = ['atelier.worker.v99', WORKER_SUBPROTOCOL];
      const both = workerSocket(server.current, { token, protocol: protocols });
      await once(both, 'open');
      assert.equal(both.protocol, WORKER_SUBPROTOCOL);
      both.terminate();
      const answer = await fetch(`${server.current.url}${WORKER_PATH}`, {
        headers: { authorization: `Bearer ${token}` },
      });
      assert.equal(answer.status, 400);
    });
  },
  { environment: { ATELIER_RUNNERS: '0' } },
);
