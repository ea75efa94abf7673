import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { WORKER_PATH, WORKER_SUBPROTOCOL } from '@atelier/contracts';
import { WebSocket } from 'ws';

import { startChild } from '../child.ts';
import { httpCall } from '../http-call.ts';
import { httpLoad } from '../http-load.ts';
import { cpuMsOf } from '../process-status.ts';
import { type Bench, type Row, valueRow } from '../row.ts';
import { startOurs, usualServer } from '../servers.ts';

const WORKERS = 200;
const SETTLE_MS = 5000;
/** Heartbeats come every 5 s, so that a few of them are in it. */
const WATCH_MS = 20_000;

export const rows: readonly Row[] = [
  valueRow('queue-idle', '/s', 15_000, async (bench) => {
    const server = await usualServer(bench);
    const load = httpLoad(server, { paths: ['/queue'], headers: { 'x-api-key': server.admin.api_key } });
    await load(bench.seconds);
    return (await load(bench.seconds)).rate;
  }),
  valueRow('workers-idle', '%', 5, idleShare),
];

/** The share of a core that a server takes while its workers have nothing to do. */
async function idleShare(bench: Bench): Promise<number> {
  const server = await startOurs(bench, { environment: { ATELIER_RUNNERS: '0' } });
  const { token } = await httpCall<{ token: string }>(`${server.url}/admin/worker-tokens`, {
    key: server.admin.api_key,
    body: JSON.stringify({ name: 'bench' }),
  });
  using _workers = await startChild(import.meta.filename, connectWorkers, { url: server.url, token });
  await wait(SETTLE_MS);
  const before = await cpuMsOf(server.pid);
  await wait(WATCH_MS);
  const used = (await cpuMsOf(server.pid)) - before;
  await server.stop();
  return (used / WATCH_MS) * 100;
}

/** Resolves when they are connected. They answer heartbeats from then on. */
export async function connectWorkers({ url, token }: { readonly url: string; readonly token: string }) {
  const about = { kind: 'built-in', version: '0.1.0', labels: [], gpus: [], models: {}, attempts: [] };
  const size = { slots: 2, ready: 2, memoryBytes: 2 ** 31 };
  for (let n = 0; n < WORKERS; n += 1) {
    const socket = new WebSocket(`${url.replace('http', 'ws')}${WORKER_PATH}`, WORKER_SUBPROTOCOL, {
      headers: { authorization: `Bearer ${token}` },
    });
    await once(socket, 'open');
    const hello = { type: 'hello', name: `worker-${n}`, instance: randomUUID(), ...about, ...size };
    socket.send(JSON.stringify(hello));
    await once(socket, 'message');
  }
  return WORKERS;
}
