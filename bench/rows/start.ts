import { once } from 'node:events';
import { createPostgresDatabase, spawnServer, temporaryFolder } from '@atelier/testing';

import { median } from '../median.ts';
import type { Bench, Row } from '../row.ts';

const BAR_MS = 1500;
const STARTS = 5;
const READY_MS = 30_000;

/** From the start of the process to the first answer of /health. */
export const rows: readonly Row[] = [
  {
    kind: 'value',
    name: 'start-first',
    unit: 'ms',
    bar: BAR_MS,
    measure: async (bench) => await medianOf(async () => await withEmptyData(bench, timeStart)),
  },
  {
    kind: 'value',
    name: 'start-again',
    unit: 'ms',
    bar: BAR_MS,
    measure: async (bench) =>
      await withEmptyData(bench, async (settings) => {
        await timeStart(settings);
        return await medianOf(async () => await timeStart(settings));
      }),
  },
];

type Settings = Readonly<Record<string, string>>;

async function medianOf(time: () => Promise<number>): Promise<number> {
  const times: number[] = [];
  while (times.length < STARTS) times.push(await time());
  return median(times);
}

async function withEmptyData(
  { engine, cleanUp }: Bench,
  work: (settings: Settings) => Promise<number>,
): Promise<number> {
  const folder = cleanUp.use(await temporaryFolder());
  const settings = { ATELIER_DATA_DIR: folder.path };
  if (engine === 'sqlite') return await work(settings);
  const { url } = await createPostgresDatabase();
  return await work({ ...settings, ATELIER_DATABASE_URL: url });
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
    const response = await fetch(`${url}/health`, { signal });
    if (!response.ok) throw new Error(`/health answered ${response.status}`);
    return performance.now() - begin;
  } finally {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
}
