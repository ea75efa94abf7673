import { setTimeout } from 'node:timers/promises';
import { type RunningServer, startServer } from '@atelier/testing';

import { httpLoad } from '../http-load.ts';
import { residentMegabytesOf } from '../process-status.ts';
import type { Bench, Row } from '../row.ts';

const BAR_MB = 200;
const REST_MS = 3000;

/** Resident memory of a server that rests: fresh, and after it has worked. */
export const rows: readonly Row[] = [
  {
    kind: 'value',
    name: 'memory-fresh',
    unit: 'MB',
    bar: BAR_MB,
    measure: async (bench) => await ofServer(bench, async () => {}),
  },
  {
    kind: 'value',
    name: 'memory-after-load',
    unit: 'MB',
    bar: BAR_MB,
    measure: async (bench) =>
      await ofServer(bench, async ({ url, admin, process: { pid } }) => {
        const headers = { 'x-api-key': admin.api_key };
        const load = httpLoad({ url, pid }, { path: '/customers/me', headers });
        await load(bench.seconds);
      }),
  },
];

async function ofServer(
  { engine, cleanUp }: Bench,
  work: (server: RunningServer) => Promise<void>,
): Promise<number> {
  const server = cleanUp.use(await startServer({ engine }));
  await work(server);
  await setTimeout(REST_MS);
  const megabytes = await residentMegabytesOf(server.process.pid);
  await server.stop();
  return megabytes;
}
