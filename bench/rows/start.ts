import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';

import { httpLoad } from '../http-load.ts';
import { median } from '../measure.ts';
import { megabytesOf } from '../process-status.ts';
import { type Bench, type Row, valueRow } from '../row.ts';
import { startOurs } from '../servers.ts';

const STARTS = 5;
const REST_MS = 3000;

export const rows: readonly Row[] = [
  valueRow('start-first', 'ms', 1500, async (bench) => await medianStart(bench, {})),
  // Seeding starts it a second time on the same data.
  valueRow('start-again', 'ms', 1500, async (bench) => await medianStart(bench, { seed: async () => {} })),
  valueRow('memory-fresh', 'MB', 200, async (bench) => await restingMegabytes(bench, 0)),
  valueRow('memory-idle', 'MB', 260, async (bench) => await restingMegabytes(bench, 0, withChildren)),
  valueRow('memory-after-load', 'MB', 200, async (bench) => await restingMegabytes(bench, bench.seconds)),
];

async function medianStart(bench: Bench, options: Parameters<typeof startOurs>[1]): Promise<number> {
  const times: number[] = [];
  while (times.length < STARTS) {
    const server = await startOurs(bench, options);
    times.push(server.startMs);
    await server.stop();
  }
  return median(times);
}

/** The server and its worker. */
async function withChildren(pid: number | undefined): Promise<number> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  const all = [pid, ...children.split(' ').filter(Boolean).map(Number)];
  return (await Promise.all(all.map(megabytesOf))).reduce((sum, each) => sum + each, 0);
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
