import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Worker } from '@atelier/contracts';
import { ENGINES, isLongRun, PATIENCE_MS, startServer } from '@atelier/testing';

import { newSubmitter, statusOf, submit, untilStatus } from '../support/cloud.ts';
import { startCuttingProxy } from '../support/cutting-proxy.ts';
import { admin } from '../support/people.ts';
import { startRemoteWorker } from '../support/remote-worker.ts';
import '../support/servers.ts';
import { watch } from '../support/sockets.ts';
import { until } from '../support/until.ts';
import { textWorkflow } from '../support/workflows.ts';

const CUTS = isLongRun ? 20 : 4;
const NODES = 12;

/** One node after the other, each with another result than in any other job, and two files at the end. */
function chain(color: number) {
  const size = { width: 32, height: 32, batch_size: 1 };
  const steps = Array.from({ length: NODES }, (_, index) => [
    `step${index}`,
    { class_type: 'ImageInvert', inputs: { image: [index === 0 ? 'begin' : `step${index - 1}`, 0] } },
  ]);
  const images = [`step${NODES - 1}`, 0];
  return {
    begin: { class_type: 'EmptyImage', inputs: { ...size, color } },
    ...Object.fromEntries(steps),
    preview: { class_type: 'PreviewImage', inputs: { images } },
    save: { class_type: 'SaveImage', inputs: { images, filename_prefix: 'cut' } },
  };
}

describe('a worker whose connection is cut under load', () => {
  for (const engine of ENGINES) {
    test(`[WRK-3] goes on ${CUTS} times: every job ends once, without a gap or a repeat, on ${engine}`, {
      timeout: 4 * PATIENCE_MS,
    }, async () => {
      await using server = await startServer({ engine, environment: { ATELIER_RUNNERS: '0' } });
      await using relay = await startCuttingProxy(server.url);
      await using _worker = await startRemoteWorker(server, { name: 'cut', url: relay.url });
      const { api, key } = await newSubmitter(server, 'pro');
      using watcher = await watch(server.url, key);
      for (let cut = 0; cut < CUTS; cut += 1) {
        const jobs: string[] = [];
        for (let count = 0; count < 3; count += 1) {
          jobs.push((await submit(api, chain(cut * 100 + count))).prompt_id);
        }
        // In the middle of one of the jobs, each time somewhere else.
        const [, middle = ''] = jobs;
        await watcher.find('a step', ({ type, data }) => {
          const { prompt_id, node } = data as { prompt_id?: string; node?: string };
          return type === 'executing' && prompt_id === middle && node === `step${cut % NODES}`;
        });
        relay.cut();
        for (const id of jobs) assert.equal(await untilStatus(api, id), 'completed');
        for (const id of jobs) {
          await watcher.end(id);
          const told = watcher.about(id);
          const count = (wanted: string) => told.filter(({ type }) => type === wanted).length;
          assert.deepEqual(
            [count('execution_start'), count('execution_success'), count('executed')],
            [1, 1, 2],
          );
          const nodes = told.flatMap(({ type, data }) =>
            type === 'executing' ? [(data as { node: string | null }).node] : [],
          );
          assert.equal(nodes.length, NODES + 4, JSON.stringify(nodes));
          assert.equal(new Set(nodes).size, nodes.length, JSON.stringify(nodes));
        }
      }
    });
  }
});

test('[WRK-5] a worker that is drained is so when its connection is cut, until it is released', async () => {
  await using server = await startServer({ environment: { ATELIER_RUNNERS: '0' } });
  await using relay = await startCuttingProxy(server.url);
  await using _worker = await startRemoteWorker(server, { name: 'cut', url: relay.url });
  const workers = async (): Promise<readonly Worker[]> =>
    (await admin(server).get<{ workers: Worker[] }>('/admin/workers')).body.workers;
  const [{ id } = { id: '' }] = await workers();
  assert.equal((await admin(server).post(`/admin/workers/${id}/drain`)).status, 204);
  const connections = relay.connections();
  relay.cut();
  await until('it connects again', () => relay.connections() > connections);
  await until('it is drained', async () => (await workers())[0]?.state === 'draining');
  const { api } = await newSubmitter(server);
  const { prompt_id } = await submit(api, textWorkflow());
  assert.equal(await statusOf(api, prompt_id), 'pending');
  assert.equal((await admin(server).post(`/admin/workers/${id}/release`)).status, 204);
  assert.equal(await untilStatus(api, prompt_id), 'completed');
});
