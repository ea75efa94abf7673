import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PATIENCE_MS } from '@atelier/testing';

import { newSubmitter, statusOf, submit, untilStatus } from '../support/cloud.ts';
import { HOLDING, runHeld } from '../support/held-jobs.ts';
import { onEachEngine } from '../support/servers.ts';
import { until } from '../support/until.ts';
import { textWorkflow } from '../support/workflows.ts';

const DEADLINE = { timeout: 2 * PATIENCE_MS };

onEachEngine(
  'an account that has all runners of a server',
  (server) => {
    test('[JOB-26] makes room for another that waits, and its jobs still end', DEADLINE, async () => {
      const [many, one] = [await newSubmitter(server.current), await newSubmitter(server.current)];
      const held = [await runHeld(server.current, many.api), await runHeld(server.current, many.api)];
      const streams = held.map(
        async (job) =>
          await fetch(`${server.current.url}/api/jobs/${job.prompt_id}/events`, {
            headers: { 'x-api-key': many.key },
          }),
      );
      await Promise.all(streams);

      const { prompt_id } = await submit(one.api, textWorkflow());
      assert.equal(await untilStatus(one.api, prompt_id), 'completed');
      for (const job of held) {
        assert.ok(['pending', 'in_progress'].includes(await statusOf(many.api, job.prompt_id)));
      }

      // With nobody else waiting, both run again, and nothing is put back any more.
      for (const job of held) await untilStatus(many.api, job.prompt_id, ['in_progress']);
      for (const job of held) await job.letGo();
      for (const job of held) assert.equal(await untilStatus(many.api, job.prompt_id), 'completed');
      const texts = await Promise.all(streams.map(async (stream) => await (await stream).text()));
      const starts = texts.map((text) => text.match(/^id: \d-1\nevent: execution_start$/gm)?.length);
      assert.deepEqual(starts.toSorted(), [1, 2], 'one of them was put back once');
      for (const text of texts) assert.doesNotMatch(text, /execution_(?:error|interrupted)/);
    });

    test('[JOB-24] [JOB-26] whose job can be cancelled after it made room', DEADLINE, async () => {
      const [many, one] = [await newSubmitter(server.current), await newSubmitter(server.current)];
      const held = [await runHeld(server.current, many.api), await runHeld(server.current, many.api)];
      const waiting = await runHeld(server.current, one.api);
      const statuses = async () =>
        await Promise.all(held.map(async (job) => await statusOf(many.api, job.prompt_id)));
      // The other account may begin before the row of the job that made room says so.
      await until('one job to wait', async () => (await statuses()).includes('pending'));
      const { status } = await many.api.post('/api/jobs/cancel', {
        job_ids: held.map((job) => job.prompt_id),
      });
      assert.equal(status, 200);
      assert.deepEqual(await statuses(), ['cancelled', 'cancelled']);
      assert.equal(await statusOf(one.api, waiting.prompt_id), 'in_progress');
      await waiting.letGo();
      assert.equal(await untilStatus(one.api, waiting.prompt_id), 'completed');
    });
  },
  { environment: { ...HOLDING, ATELIER_RUNNERS: '2', ATELIER_FAIR_SECONDS: '1' } },
);
