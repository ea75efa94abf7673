import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { createPostgresDatabase, spawnServer, startServer, temporaryFolder } from '@atelier/testing';

import { httpLoad } from '../http-load.ts';
import { median } from '../measure.ts';
import { residentMegabytesOf } from '../process-status.ts';
import type { Bench, Row } from '../row.ts';

const START_BAR_MS = 1500;
const STARTS = 5;
const READY_MS = 30_000;
const MEMORY_BAR_MB = 200;
const REST_MS = 3000;

type Settings = Readonly<Record<string, string>>;

/** From the start of the process to the first answer of /health, and the memory of a server that rests. */
export const rows: readonly Row[] = [
  {
    name: 'start-first',
    unit: 'ms',
    bar: START_BAR_MS,
    measure: async (bench) => await medianOf(async () => await timeStart(await emptyData(bench))),
  },
  {
    name: 'start-again',
    unit: 'ms',
    bar: START_BAR_MS,
    async measure(bench) {
      const settings = await emptyData(bench);
      await timeStart(settings);
      return await medianOf(async () => await timeStart(settings));
    },
  },
  {
    name: 'memory-fresh',
    unit: 'MB',
    bar: MEMORY_BAR_MB,
    measure: async (bench) => await restingMegabytes(bench, 0),
  },
  {
    name: 'memory-after-load',
    unit: 'MB',
    bar: MEMORY_BAR_MB,
    measure: async (bench) => await restingMegabytes(bench, bench.seconds),
  },
];

async function medianOf(time: () => Promise<number>): Promise<number> {
  const times: number[] = [];
  while (times.length < STARTS) times.push(await time());
  return median(times);
}

async function emptyData({ engine, cleanUp }: Bench): Promise<Settings> {
  const { path } = cleanUp.use(await temporaryFolder());
  const database = engine === 'postgres' ? await createPostgresDatabase() : undefined;
  return { ATELIER_DATA_DIR: path, ...(database && { ATELIER_DATABASE_URL: database.url }) };
}

async function timeStart(settings: Settings): Promise<number> {
  const begin = performance.now();
  const { child, output } = spawnServer(settings);
  const signal = AbortSignal.timeout(READY_MS);
  try {
    let url: string | undefined;
    while (url === undefined) {
      await once(child.stderr, 'data', { signal });
      url = /Atelier listens on (\S+)/.exec(output())?.[1];
    }
    await fetch(`${url}/health`, { signal });
    return performance.now() - begin;
  } finally {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
}

async function restingMegabytes({ engine, cleanUp }: Bench, seconds: number): Promise<number> {
  const server = cleanUp.use(await startServer({ engine }));
  const { pid } = server.process;
  const headers = { 'x-api-key': server.admin.api_key };
  if (seconds > 0) await httpLoad({ url: server.url, pid }, { path: '/customers/me', headers })(seconds);
  await wait(REST_MS);
  const megabytes = await residentMegabytesOf(pid);
  await server.stop();
  return megabytes;
}
