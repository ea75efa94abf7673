import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { describe, test } from 'node:test';
import { ENGINES, isLongRun, PATIENCE_MS, type RunningServer, startServer } from '@atelier/testing';

import { newSubmitter, submit, untilStatus } from '../support/cloud.ts';
import { startRemoteWorker } from '../support/remote-worker.ts';
import '../support/servers.ts';
import { watch } from '../support/sockets.ts';

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
      await using relay = await startRelay(server);
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

/** Passes bytes on between a worker and its server, until it is cut. */
async function startRelay(server: RunningServer) {
  const open = new Set<Socket>();
  const { hostname, port } = new URL(server.url);
  const cut = (): void => {
    for (const socket of open) socket.destroy();
  };
  const relay = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(socket);
      socket
        .on('error', () => {})
        .on('close', () => {
          open.delete(socket);
          other.destroy();
        });
      socket.pipe(other);
    }
  });
  relay.listen(0, '127.0.0.1');
  await once(relay, 'listening');
  return {
    url: `http://127.0.0.1:${(relay.address() as AddressInfo).port}`,
    cut,
    async [Symbol.asyncDispose]() {
      cut();
      relay.close();
      await once(relay, 'close');
    },
  };
}
