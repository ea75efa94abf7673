import assert from 'node:assert/strict';
import { test } from 'node:test';

import { newSubmitter, setTier, statusOf, submit, untilStatus } from '../support/cloud.ts';
import { client } from '../support/http-client.ts';
import { onEachEngine } from '../support/servers.ts';
import { watch } from '../support/sockets.ts';
import { longWorkflow, textWorkflow } from '../support/workflows.ts';

onEachEngine(
  'the order of jobs',
  (server) => {
    test('[JOB-20] jobs of one user begin in the order of their arrival', async () => {
      const { api, key } = await newSubmitter(server.current, 'standard');
      using watcher = await watch(server.current.url, key);
      const ids: string[] = [];
      for (let n = 0; n < 20; n += 1) ids.push((await submit(api, textWorkflow())).prompt_id);
      for (const id of ids) await watcher.end(id);
      const started = watcher.messages('execution_start').map(({ data }) => data['prompt_id']);
      assert.deepEqual(started, ids);
    });

    for (const [tier, limit] of [
      ['standard', 1],
      ['creator', 3],
    ] as const) {
      test(`[JOB-20] never more than ${limit} run at once on ${tier}`, async () => {
        const { api, key } = await newSubmitter(server.current, tier);
        using watcher = await watch(server.current.url, key);
        const jobs = await Promise.all(
          Array.from({ length: 12 }, async () => await submit(api, longWorkflow({ pictures: 2, size: 128 }))),
        );
        for (const { prompt_id } of jobs) await watcher.end(prompt_id);
        let running = 0;
        let most = 0;
        for (const { type } of watcher.messages()) {
          if (type === 'execution_start') running += 1;
          if (type === 'execution_success') running -= 1;
          most = Math.max(most, running);
        }
        assert.ok(most <= limit && most >= Math.min(2, limit), `${most} at once`);
      });
    }

    test('[JOB-21] a user with a long line delays nobody else’s first job', async () => {
      const [many, one] = [await newSubmitter(server.current, 'team'), await newSubmitter(server.current)];
      using watcher = await watch(server.current.url, one.key);
      const ids = await Promise.all(
        Array.from(
          { length: 60 },
          async () => await submit(many.api, longWorkflow({ pictures: 4, size: 256 })),
        ),
      );
      const { prompt_id } = await submit(one.api, textWorkflow());
      await watcher.end(prompt_id);
      const last = ids.at(-1)?.prompt_id ?? '';
      assert.notEqual(await statusOf(many.api, last), 'completed');
      await many.api.post('/api/queue', { clear: true });
    });

    test('[JOB-23] a larger subscription lets waiting jobs run, none stops them', async () => {
      const { id, api } = await newSubmitter(server.current, 'standard');
      const jobs = [];
      for (let n = 0; n < 2; n += 1) jobs.push(await submit(api, longWorkflow({ pictures: 100 })));
      const [first, second] = jobs.map(({ prompt_id }) => prompt_id);
      await untilStatus(api, first ?? '', ['in_progress']);
      assert.equal(await statusOf(api, second ?? ''), 'pending');
      await setTier(server.current, id, 'creator');
      await untilStatus(api, second ?? '', ['in_progress']);
      await api.post('/api/jobs/cancel', { job_ids: [first, second] });
    });

    test('[JOB-22] a server that stops in order gives its jobs back, and they run again', async () => {
      const { key, api } = await newSubmitter(server.current);
      const { prompt_id } = await submit(api, longWorkflow({ pictures: 40, size: 256 }));
      await untilStatus(api, prompt_id, ['in_progress']);
      await server.restart();
      using watcher = await watch(server.current.url, key);
      await watcher.end(prompt_id);
      assert.equal(await statusOf(client(server.current.url, { apiKey: key }), prompt_id), 'completed');
    });
  },
  { environment: { ATELIER_RUNNERS: '4' } },
);
