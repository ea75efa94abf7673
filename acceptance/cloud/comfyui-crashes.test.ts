import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ENGINES, freePort, isLongRun, PATIENCE_MS, startServer } from '@atelier/testing';

import { newSubmitter, submit, untilStatus } from '../support/cloud.ts';
import { startRemoteWorker } from '../support/remote-worker.ts';
import '../support/servers.ts';
import { watch } from '../support/sockets.ts';
import { until } from '../support/until.ts';

const PROGRAM = fileURLToPath(new URL('../support/comfyui-program.ts', import.meta.url));
const ROUNDS = isLongRun ? 20 : 2;
const JOBS = 6;
const STOPPED_MS = 500;

/** A ComfyUI that answers. */
async function startComfyUi(port: number): Promise<ChildProcess> {
  const child = spawn(process.execPath, [PROGRAM, String(port)], { stdio: ['ignore', 'ignore', 'inherit'] });
  await until(
    'a ComfyUI',
    async () =>
      await fetch(`http://127.0.0.1:${port}/prompt`).then(
        ({ ok }) => ok,
        () => false,
      ),
  );
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

describe('a ComfyUI that is killed, stopped and started again under load', () => {
  for (const engine of ENGINES) {
    test(`[WRK-22] ${ROUNDS} times: no job is lost or doubled, on ${engine}`, {
      timeout: 4 * PATIENCE_MS,
    }, async () => {
      await using server = await startServer({ engine, environment: { ATELIER_RUNNERS: '0' } });
      const port = await freePort();
      let comfy = await startComfyUi(port);
      await using parts = new AsyncDisposableStack();
      parts.defer(async () => await kill(comfy));
      const args = ['--comfyui', `http://127.0.0.1:${port}`];
      const worker = parts.use(await startRemoteWorker(server, { name: 'comfyui', args }));
      const { api, key } = await newSubmitter(server);
      using watcher = await watch(server.url, key);
      let seed = 0;
      for (let round = 0; round < ROUNDS; round += 1) {
        const jobs: string[] = [];
        for (let count = 0; count < JOBS; count += 1) {
          seed += 1;
          const graph = {
            '1': { class_type: 'MakePicture', inputs: { seed } },
            '2': { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: `of-${seed}/a` } },
          };
          jobs.push((await submit(api, graph)).prompt_id);
        }
        const isRunning = ({ type, data }: { type: string; data: Readonly<Record<string, unknown>> }) =>
          type === 'executing' && data['node'] === '1' && jobs.includes(String(data['prompt_id']));
        await watcher.find('a job that runs', isRunning);
        if (round % 2 === 0) {
          await kill(comfy);
          comfy = await startComfyUi(port);
        } else {
          comfy.kill('SIGSTOP');
          await new Promise((resolve) => setTimeout(resolve, STOPPED_MS));
          comfy.kill('SIGCONT');
        }
        // A job that meets two kills fails, so the next round waits for this one.
        for (const id of jobs) assert.equal(await untilStatus(api, id), 'completed', worker.output());
        for (const id of jobs) {
          await watcher.end(id);
          const ends = watcher.about(id).filter(({ type }) => type === 'execution_success');
          assert.equal(ends.length, 1);
        }
      }
      const { body } = await api.get<{ assets: { job_id: string }[]; total: number }>(
        '/api/assets?tags_any=output&limit=500',
      );
      assert.equal(body.assets.length, ROUNDS * JOBS);
      assert.equal(new Set(body.assets.map(({ job_id }) => job_id)).size, ROUNDS * JOBS);
    });
  }
});
