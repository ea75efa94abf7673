import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import type { Worker } from '@atelier/contracts';
import { ENGINES, isLongRun, PATIENCE_MS, type RunningServer, startServer } from '@atelier/testing';

import { newSubmitter, statusOf, submit, untilStatus } from '../support/cloud.ts';
import { HOLDING, runHeld } from '../support/held-jobs.ts';
import { client } from '../support/http-client.ts';
import { admin } from '../support/people.ts';
import '../support/servers.ts';
import { watch } from '../support/sockets.ts';
import { until } from '../support/until.ts';
import { textWorkflow } from '../support/workflows.ts';

const ROUNDS = isLongRun ? 25 : 3;

describe('a built-in worker that is killed under load', () => {
  for (const engine of ENGINES) {
    test(`[WRK-4] is started again, ${ROUNDS} times, every job ends once and the server answers, on ${engine}`, {
      timeout: 4 * PATIENCE_MS,
    }, async () => {
      await using server = await startServer({ engine, environment: { ATELIER_RUNNERS: '2' } });
      const { api, key } = await newSubmitter(server, 'pro');
      using watcher = await watch(server.url, key);
      const jobs: string[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        for (let count = 0; count < 8; count += 1) {
          jobs.push((await submit(api, textWorkflow())).prompt_id);
        }
        await killWorker(server);
        assert.equal((await client(server.url).get('/health')).status, 200);
        // A job that meets two kills fails.
        for (const id of jobs) assert.equal(await untilStatus(api, id), 'completed');
      }
      for (const id of jobs) {
        await watcher.end(id);
        const ends = watcher.about(id).filter(({ type }) => type === 'execution_success');
        assert.equal(ends.length, 1);
      }
    });
  }
});

test('[WRK-15] a job whose process is killed from outside runs again, and ends once', {
  timeout: 2 * PATIENCE_MS,
}, async () => {
  await using server = await startServer({
    engine: 'sqlite',
    environment: { ...HOLDING, ATELIER_RUNNERS: '1' },
  });
  const { api, key } = await newSubmitter(server);
  using watcher = await watch(server.url, key);
  const { prompt_id, letGo } = await runHeld(server, api);
  const starts = () => watcher.about(prompt_id).filter(({ type }) => type === 'execution_start').length;
  await until('the job has begun', () => starts() === 1);
  for (const pid of await childrenOf(await workerOf(server))) process.kill(pid, 'SIGKILL');
  await until('the job has begun again', () => starts() === 2);
  assert.equal(await statusOf(api, prompt_id), 'in_progress');
  await letGo();
  await watcher.end(prompt_id);
  assert.equal(await statusOf(api, prompt_id), 'completed');
  const ends = watcher.about(prompt_id).filter(({ type }) => /success|error|interrupted/.test(type));
  assert.deepEqual(
    ends.map(({ type }) => type),
    ['execution_success'],
  );
});

test('[WRK-31] administrators see why the built-in worker has ended', {
  timeout: 2 * PATIENCE_MS,
}, async () => {
  await using server = await startServer({
    engine: 'postgres',
    environment: { ...HOLDING, ATELIER_RUNNERS: '1' },
  });
  const { api } = await newSubmitter(server);
  const { prompt_id, letGo } = await runHeld(server, api);
  const workers = async (): Promise<readonly Worker[]> =>
    (await admin(server).get<{ workers: Worker[] }>('/admin/workers')).body.workers;
  await until('the worker has the job', async () => (await workers())[0]?.jobs.length === 1);
  await killWorker(server);
  await letGo();
  assert.equal(await untilStatus(api, prompt_id), 'completed');
  assert.deepEqual(
    (await workers()).map(({ errors }) => errors.map(({ cause, job_id }) => [cause, job_id])),
    [[['crash', prompt_id]]],
  );
});

/** Kills the only child of the server, once there is one. */
async function killWorker(server: RunningServer): Promise<void> {
  process.kill(await workerOf(server), 'SIGKILL');
}

async function workerOf({ process: { pid } }: RunningServer): Promise<number> {
  return await until('a worker', async () => (await childrenOf(pid))[0]);
}

async function childrenOf(pid: number | undefined): Promise<number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return children.split(' ').filter(Boolean).map(Number);
}
