import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { ENGINES, isLongRun, PATIENCE_MS, type RunningServer, startServer } from '@atelier/testing';

import { newSubmitter, submit, untilStatus } from '../support/cloud.ts';
import { client } from '../support/http-client.ts';
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

/** Kills the only child of the server, once there is one. */
async function killWorker(server: RunningServer): Promise<void> {
  const { pid } = server.process;
  const worker = await until('a worker', async () => {
    const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
    return /\d+/.exec(children)?.[0];
  });
  process.kill(Number(worker), 'SIGKILL');
}
