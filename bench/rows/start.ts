import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';

import { httpCall } from '../http-call.ts';
import { httpLoad } from '../http-load.ts';
import { median } from '../measure.ts';
import { megabytesOf } from '../process-status.ts';
import { type Bench, type Row, valueRow } from '../row.ts';
import { trivialGraph } from '../seed-cloud.ts';
import { startOurs } from '../servers.ts';

const STARTS = 5;
const REST_MS = 3000;

export const rows: readonly Row[] = [
  valueRow('start-first', 'ms', 1500, async (bench) => await medianStart(bench, {})),
  valueRow('start-job', 'ms', 2500, async (bench) => await medianOf(async () => await timeFirstJob(bench))),
  // Seeding starts it a second time on the same data.
  valueRow('start-again', 'ms', 1500, async (bench) => await medianStart(bench, { seed: async () => {} })),
  valueRow('memory-fresh', 'MB', 200, async (bench) => await restingMegabytes(bench, 0)),
  valueRow('memory-idle', 'MB', 260, async (bench) => await restingMegabytes(bench, 0, withChildren)),
  valueRow('memory-after-load', 'MB', 200, async (bench) => await restingMegabytes(bench, bench.seconds)),
];

async function medianOf(time: () => Promise<number>): Promise<number> {
  const times: number[] = [];
  while (times.length < STARTS) times.push(await time());
  return median(times);
}

async function medianStart(bench: Bench, options: Parameters<typeof startOurs>[1]): Promise<number> {
  return await medianOf(async () => {
    const server = await startOurs(bench, options);
    await server.stop();
    return server.startMs;
  });
}

/** From the start of the process to the answer that a job is accepted, which needs the node types of the worker. */
async function timeFirstJob(bench: Bench): Promise<number> {
  const begin = performance.now();
  const server = await startOurs(bench);
  const body = JSON.stringify({ prompt: trivialGraph('first') });
  await httpCall(`${server.url}/prompt`, { key: server.admin.api_key, body });
  const took = performance.now() - begin;
  await server.stop();
  return took;
}

/** The server and its worker. */
async function withChildren(pid: number | undefined): Promise<number> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  const all = [pid, ...children.split(' ').filter(Boolean).map(Number)];
  return (await Promise.all(all.map(async (each) => await megabytesOf(each)))).reduce(
    (sum, each) => sum + each,
    0,
  );
}

async function restingMegabytes(bench: Bench, seconds: number, measure = megabytesOf): Promise<number> {
  const server = await startOurs(bench);
  const headers = { 'x-api-key': server.admin.api_key };
  if (seconds > 0) await httpLoad(server, { paths: ['/customers/me'], headers })(seconds);
  await wait(REST_MS);
  const megabytes = await measure(server.pid);
  await server.stop();
  return megabytes;
}
