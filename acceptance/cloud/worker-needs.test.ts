import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { afterEach, beforeEach, test } from 'node:test';

import type { WorkerDemand } from '@atelier/contracts';
import { newSubmitter, type Submitter, statusOf, submit, untilStatus } from '../support/cloud.ts';
import { untilMeasured } from '../support/metrics.ts';
import { admin } from '../support/people.ts';
import { cancelJobs } from '../support/scripted-jobs.ts';
import {
  connectWorker,
  helloOf,
  NODE_TYPES,
  newWorkerToken,
  type ScriptedWorker,
  storyOf,
} from '../support/scripted-worker.ts';
import { onAnyEngine } from '../support/servers.ts';
import { until } from '../support/until.ts';

const WORKFLOW = { show: { class_type: 'PreviewAny', inputs: { source: 'hello' } } };
const GIB = 2 ** 30;

onAnyEngine(
  'jobs that not every worker can run',
  (server) => {
    let ada: Submitter;
    let token = '';
    beforeEach(async () => {
      ada = await newSubmitter(server.current);
      ({ token } = await newWorkerToken(server.current));
    });
    afterEach(async () => await cancelJobs(ada));

    const connect = async (name: string, changes: object = {}, nodeTypes = NODE_TYPES) => {
      const hello = helloOf({ name, nodeTypes: hash('sha256', nodeTypes), ...changes });
      const worker = await connectWorker(server.current, token, { hello, nodeTypes });
      await worker.next('welcome');
      return worker;
    };
    const submitted = async (others: object = {}) =>
      (await submit(ada.api, WORKFLOW, others as Record<string, unknown>)).prompt_id;
    const asking = (...labels: string[]) => ({ extra_data: { worker_labels: labels } });

    function finishJob(worker: ScriptedWorker, attempt: string): void {
      const story = storyOf(attempt.split('/')[0] ?? '');
      worker.say({ type: 'events', attempt, number: 1, events: [story.start, story.success] });
      worker.say({ type: 'end', attempt, number: 2, outcome: story.outcome('hello') });
      worker.say({ type: 'ready', count: 1 });
    }

    function runOutOfMemory(worker: ScriptedWorker, attempt: string, failsEverywhere?: boolean): void {
      const error = {
        ...storyOf(attempt.split('/')[0] ?? '').start.data,
        node_id: 'show',
        node_type: 'PreviewAny',
        executed: [],
        exception_message: 'The picture needs more memory.',
        exception_type: 'OOMError',
        traceback: [],
        current_inputs: {},
        current_outputs: [],
      };
      worker.say({ type: 'events', attempt, number: 1, events: [{ type: 'execution_error', data: error }] });
      const outcome = { status: 'error', outputs: {}, meta: {}, executed: [], error, failsEverywhere };
      worker.say({ type: 'end', attempt, number: 2, outcome });
      worker.say({ type: 'ready', count: 1 });
    }

    async function whyFailed(jobId: string): Promise<string> {
      assert.equal(await untilStatus(ada.api, jobId), 'failed');
      const { body } = await ada.api.get<{ execution_error?: { exception_message: string } }>(
        `/api/jobs/${jobId}`,
      );
      return body.execution_error?.exception_message ?? '';
    }

    test('[WRK-13] a job that asks for labels goes to a worker that has them, and holds up no other', async () => {
      using plain = await connect('plain', { labels: ['eu'] });
      const asks = await submitted(asking('gpu', 'eu'));
      const other = await submitted();
      const run = await plain.next('run');
      assert.equal(run.job.jobId, other);
      finishJob(plain, run.attempt);
      assert.equal(await untilStatus(ada.api, other), 'completed');
      using gpu = await connect('gpu', { labels: ['eu', 'gpu'], ready: 0 });
      gpu.say({ type: 'ready', count: 1 });
      const asked = await gpu.next('run');
      assert.equal(asked.job.jobId, asks);
      finishJob(gpu, asked.attempt);
      assert.equal(await untilStatus(ada.api, asks), 'completed');
    });

    test('[WRK-13] labels that are none are refused', async () => {
      using _worker = await connect('plain');
      for (const worker_labels of [
        'gpu',
        [1],
        ['Not a label'],
        Array.from({ length: 33 }, (_, n) => `l${n}`),
      ]) {
        const { status } = await ada.api.post('/api/prompt', {
          prompt: WORKFLOW,
          extra_data: { worker_labels },
        });
        assert.equal(status, 400, JSON.stringify(worker_labels));
      }
    });

    test('[WRK-13] a worker without a node type gets no job that has it', async () => {
      const lines = NODE_TYPES.split('\n');
      const fewer = lines.filter((line) => !line.includes('"type":"PreviewAny"')).join('\n');
      assert.notEqual(fewer, NODE_TYPES);
      using whole = await connect('whole', { ready: 0 });
      using partly = await connect('partly', {}, fewer);
      const needsAll = await submitted();
      const graph = {
        number: { class_type: 'EmptyImage', inputs: { width: 8, height: 8, batch_size: 1, color: 0 } },
        save: { class_type: 'PreviewImage', inputs: { images: ['number', 0] } },
      };
      const { prompt_id: any } = await submit(ada.api, graph);
      const { attempt, job } = await partly.next('run');
      assert.equal(job.jobId, any);
      finishJob(partly, attempt);
      assert.equal(await untilStatus(ada.api, any), 'completed');
      assert.equal(await statusOf(ada.api, needsAll), 'pending');
      whole.say({ type: 'ready', count: 1 });
      const run = await whole.next('run');
      assert.equal(run.job.jobId, needsAll);
      finishJob(whole, run.attempt);
      assert.equal(await untilStatus(ada.api, needsAll), 'completed');
      assert.equal(partly.received.filter(({ type }) => type === 'run').length, 1);
    });

    test('[WRK-19] tells administrators how much work waits for each label', async () => {
      using _plain = await connect('plain', { labels: ['eu'], slots: 2, ready: 0 });
      await submitted(asking('gpu'));
      await submitted(asking('gpu'));
      const { body, status } = await admin(server.current).get<WorkerDemand>('/admin/workers/demand');
      assert.equal(status, 200);
      const demand = Object.fromEntries(body.labels.map(({ label, ...rest }) => [label, rest]));
      assert.partialDeepStrictEqual(demand, {
        any: { waiting_jobs: 0, slots: 2, waiting_seconds: 0 },
        eu: { waiting_jobs: 0, slots: 2 },
        gpu: { waiting_jobs: 2, slots: 0 },
      });
      assert.ok((demand['gpu']?.waiting_seconds ?? 0) > 0);
      assert.equal((await ada.api.get('/admin/workers/demand')).status, 403);
    });

    test('[WRK-19] jobs that no worker with the label can run count by how long they wait', async () => {
      using _plain = await connect('plain', { labels: ['eu'], slots: 2 });
      await submitted(asking('eu', 'gpu'));
      const demand = await until('a job that has waited', async () => {
        const { body } = await admin(server.current).get<WorkerDemand>('/admin/workers/demand');
        const found = Object.fromEntries(body.labels.map(({ label, ...rest }) => [label, rest]));
        return (found['eu']?.oldest_seconds ?? 0) > 1 && found;
      });
      assert.partialDeepStrictEqual(demand, { eu: { waiting_jobs: 1, slots: 2 }, gpu: { slots: 0 } });
      assert.equal(demand['eu']?.waiting_seconds, demand['gpu']?.waiting_seconds);
    });

    test('[WRK-19] so do jobs with a node type that they do not have', async () => {
      const fewer = NODE_TYPES.split('\n')
        .filter((line) => !line.includes('"type":"PreviewAny"'))
        .join('\n');
      const whole = await connect('whole', { ready: 0 });
      await submitted(asking('eu'));
      whole.socket.terminate();
      using _partly = await connect('partly', { labels: ['eu'], slots: 20 }, fewer);
      const eu = await until('a job that has waited', async () => {
        const { body } = await admin(server.current).get<WorkerDemand>('/admin/workers/demand');
        const found = body.labels.find(({ label }) => label === 'eu');
        return (found?.oldest_seconds ?? 0) > 1 && found;
      });
      assert.equal(eu.slots, 20);
      assert.ok(eu.waiting_seconds >= eu.oldest_seconds, JSON.stringify(eu));
    });

    test('[WRK-23] the same is measured, for labels that operators have given', async () => {
      await newWorkerToken(server.current, { labels: ['gpu'] });
      using _plain = await connect('plain', { labels: ['eu'], slots: 2, ready: 0 });
      await submitted(asking('gpu'));
      await submitted(asking('gpu', 'made-up'));
      const measured = await untilMeasured(
        server.current.url,
        'the jobs',
        (now) => now.of('atelier_label_waiting_jobs', { label: 'gpu' }) === 2,
      );
      assert.equal(measured.of('atelier_waiting_jobs', { kind: 'built-in' }), 2);
      assert.equal(measured.of('atelier_waiting_jobs', { kind: 'comfyui' }), 0);
      assert.equal(measured.of('atelier_label_slots', { label: 'eu' }), 2);
      assert.equal(measured.of('atelier_label_waiting_jobs', { label: 'other' }), 1);
      assert.doesNotMatch(measured.text, /made-up/);
      const seconds = (label: string) => measured.of('atelier_label_waiting_seconds', { label });
      assert.ok(seconds('gpu') > 0);
      assert.equal(seconds('comfyui'), 0);
    });

    test('[HOST-31] models are those of all workers together', async () => {
      using _first = await connect('first', { models: { checkpoints: ['b.ckpt', 'sd/a.ckpt'] } });
      using _second = await connect('second', {
        models: { checkpoints: ['b.ckpt'], 'my models': ['x.bin'], embeddings: ['good.pt'] },
      });
      const get = async (path: string) => await ada.api.get<unknown[]>(path);
      assert.deepEqual((await get('/api/models/checkpoints')).body, ['b.ckpt', 'sd/a.ckpt']);
      assert.deepEqual((await get('/models/loras')).body, []);
      assert.deepEqual((await get('/experiment/models/my%20models')).body, [{ name: 'x.bin', pathIndex: 0 }]);
      assert.deepEqual((await get('/embeddings')).body, ['good']);
      assert.ok((await get('/models')).body.includes('my models'));
      assert.equal((await get('/models/nope')).status, 404);
    });

    test('[WRK-14] a job that a worker has lost goes to another one, also when the first is ready before', async () => {
      using first = await connect('first');
      const jobId = await submitted();
      const { attempt } = await first.next('run');
      using second = await connect('second', { ready: 0 });
      first.say({ type: 'lost', attempt, number: 1, cause: 'device', message: 'CUDA error' });
      first.say({ type: 'ready', count: 1 });
      const other = await submitted();
      assert.equal((await first.next('run')).job.jobId, other);
      second.say({ type: 'ready', count: 1 });
      const again = await second.next('run');
      assert.equal(again.attempt, `${jobId}/2`);
      finishJob(second, again.attempt);
      assert.equal(await untilStatus(ada.api, jobId), 'completed');
    });

    test('[JOB-25] a job that exceeds a limit is not retried where more memory is', async () => {
      using small = await connect('small', { memoryBytes: 2 * GIB });
      const jobId = await submitted();
      const { attempt } = await small.next('run');
      using _large = await connect('large', { memoryBytes: 8 * GIB });
      runOutOfMemory(small, attempt, true);
      assert.match(await whyFailed(jobId), /needs more memory/);
    });

    test('[WRK-14] out of memory, a job is tried once where more memory is', async () => {
      using small = await connect('small', { memoryBytes: 2 * GIB });
      const jobId = await submitted();
      const first = await small.next('run');
      using large = await connect('large', { memoryBytes: 8 * GIB, ready: 0 });
      using largest = await connect('largest', { memoryBytes: 80 * GIB, ready: 0 });
      runOutOfMemory(small, first.attempt);
      large.say({ type: 'ready', count: 1 });
      const second = await large.next('run');
      assert.equal(second.attempt, `${jobId}/2`);
      runOutOfMemory(large, second.attempt);
      assert.match(await whyFailed(jobId), /needs more memory/);
      largest.say({ type: 'ready', count: 1 });
      const after = await submitted();
      for (const worker of [small, large, largest]) {
        const given = worker.received.filter((each) => each.type === 'run' && each.job.jobId === jobId);
        assert.equal(given.length, worker === largest ? 0 : 1);
      }
      await ada.api.post(`/api/jobs/${after}/cancel`);
    });

    test('[WRK-14] out of memory, a job fails at once when no worker that can run it has more', async () => {
      using small = await connect('small', { labels: ['gpu'] });
      using _same = await connect('same', { labels: ['gpu'] });
      using _other = await connect('other', { memoryBytes: 80 * GIB });
      const jobId = await submitted(asking('gpu'));
      const { attempt } = await small.next('run');
      small.say({ type: 'lost', attempt, number: 1, cause: 'memory', message: 'Allocation on device.' });
      assert.equal(await whyFailed(jobId), 'Allocation on device.\n');
    });

    for (const cause of ['crash', 'device'] as const) {
      test(`[WRK-15] a job that is lost twice by a ${cause} fails with a sentence`, async () => {
        using worker = await connect('worker');
        const jobId = await submitted();
        const lost = { type: 'lost', number: 1, cause, message: 'what went wrong' } as const;
        const first = await worker.next('run');
        worker.say({ ...lost, attempt: first.attempt });
        worker.say({ type: 'ready', count: 1 });
        const second = await worker.next('run');
        assert.equal(second.attempt, `${jobId}/2`);
        worker.say({ ...lost, attempt: second.attempt });
        assert.match(await whyFailed(jobId), /^Workers failed 2 times .*: what went wrong\n$/);
      });
    }
  },
  { environment: { ATELIER_RUNNERS: '0' } },
);
