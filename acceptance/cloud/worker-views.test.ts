import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { Worker } from '@atelier/contracts';

import { newSubmitter, type Submitter, submit, untilStatus } from '../support/cloud.ts';
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
import { watch } from '../support/sockets.ts';
import { until } from '../support/until.ts';

onAnyEngine(
  'what administrators see of workers',
  (server) => {
    let ada: Submitter;
    let token = '';
    beforeEach(async () => {
      ada = await newSubmitter(server.current);
      ({ token } = await newWorkerToken(server.current));
    });
    afterEach(async () => await cancelJobs(ada));

    async function untilShown(worker: ScriptedWorker, isWanted: (shown: Worker) => boolean): Promise<Worker> {
      return await until('the worker', async () => {
        const found = await shownWorker(server.current, worker);
        return found && isWanted(found) ? found : undefined;
      });
    }

    test('[WRK-26] a worker is shown with its memory, its models, what it runs and what went wrong', async () => {
      const models = { checkpoints: ['a.safetensors', 'b.safetensors'], loras: [] };
      const gpus = [{ name: 'cuda:0', memoryBytes: 24e9 }];
      using worker = await connectWorker(server.current, token, {
        hello: helloOf({ name: 'seen', models, gpus }),
      });
      const ram = { totalBytes: 64e9, freeBytes: 8e9 };
      worker.say({ type: 'status', ram, gpus: [{ freeBytes: 3e9 }], problem: 'ComfyUI has ended.' });
      const shown = await untilShown(worker, ({ problem }) => problem !== undefined);
      assert.deepEqual(shown.gpus, [{ name: 'cuda:0', memory_bytes: 24e9, free_bytes: 3e9 }]);
      assert.deepEqual(shown.ram, { total_bytes: 64e9, free_bytes: 8e9 });
      assert.equal(shown.problem, 'ComfyUI has ended.');
      assert.deepEqual(shown.models, { checkpoints: 2, loras: 0 });
      worker.say({ type: 'status', gpus: [] });
      await untilShown(worker, ({ problem }) => problem === undefined);

      const path = `/admin/workers/${worker.instance}/models`;
      assert.deepEqual((await admin(server.current).get(path)).body, { models });
      assert.equal((await ada.api.get(path)).status, 403);
      assert.equal((await admin(server.current).get('/admin/workers/nobody/models')).status, 404);

      const { prompt_id: jobId } = await submit(ada.api, WORKFLOW);
      const { attempt } = await worker.next('run');
      const sentAt = (await untilShown(worker, () => true)).jobs[0]?.heard_at ?? '';
      const { start, executing } = storyOf(jobId);
      await delay(2);
      worker.say({ type: 'events', attempt, number: 1, events: [start, executing] });
      const { jobs } = await untilShown(worker, ({ jobs: [job] }) => job?.node_id !== undefined);
      const [{ heard_at: heardAt, ...job } = {}] = jobs;
      assert.deepEqual(job, { job_id: jobId, attempt: 1, node_id: 'show', node_type: 'PreviewAny' });
      assert.ok(Date.parse(heardAt ?? '') > Date.parse(sentAt));
      worker.say({ type: 'lost', attempt, number: 2, cause: 'device', message: 'CUDA error: unspecified.' });
      const { errors } = await untilShown(worker, ({ errors: all }) => all.length > 0);
      assert.partialDeepStrictEqual(errors[0], {
        cause: 'device',
        message: 'CUDA error: unspecified.',
        job_id: jobId,
      });
      await ada.api.post(`/api/jobs/${jobId}/cancel`);
      assert.equal(await untilStatus(ada.api, jobId), 'cancelled');
    });

    test('[WRK-29] a worker shows how many jobs it has ended today', async () => {
      using worker = await connectWorker(server.current, token, { hello: helloOf({ name: 'counted' }) });
      const dayOf = () => new Date().toISOString().slice(0, 10);
      const day = dayOf();
      assert.equal((await untilShown(worker, () => true)).jobs_today, 0);
      for (const count of [1, 2]) {
        const given = await giveJob(worker, ada);
        finishJob(worker, given);
        await untilStatus(ada.api, given.jobId, ['completed']);
        worker.say({ type: 'ready', count: 1 });
        // Midnight may come in between.
        await untilShown(worker, ({ jobs_today: ended = 0 }) => ended === count || dayOf() !== day);
      }
    });

    test('[WRK-28] a worker with a problem gets no jobs, and who waits for it reads what is missing', async () => {
      using watcher = await watch(server.current.url, ada.key);
      using worker = await connectWorker(server.current, token);
      await untilShown(worker, ({ state }) => state === 'ready');
      worker.say({ type: 'status', gpus: [], problem: 'ComfyUI has ended.' });
      await untilShown(worker, ({ problem }) => problem !== undefined);
      const { prompt_id: jobId } = await submit(ada.api, WORKFLOW);
      const waitingFor = async () =>
        (await ada.api.get<{ waiting_for?: string }>(`/api/jobs/${jobId}`)).body.waiting_for;
      assert.equal(await waitingFor(), 'Waiting for a worker to be ready.');
      await until('the notice', () =>
        JSON.stringify(watcher.messages()).includes('for a worker to be ready'),
      );
      assert.ok(!worker.received.some(({ type }) => type === 'run'));
      worker.say({ type: 'status', gpus: [] });
      assert.equal((await worker.next('run')).job.jobId, jobId);
      assert.equal(await waitingFor(), undefined);
    });
  },
  { environment: { ATELIER_RUNNERS: '0' } },
);
