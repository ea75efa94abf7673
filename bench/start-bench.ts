import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import {
  createPostgresDatabase,
  postgresEnvironment,
  startPostgres,
  startServer,
  temporaryFolder,
} from '@atelier/testing';

import type { Options } from './options.ts';
import type { Bench } from './row.ts';

const BARE_SERVER = join(import.meta.dirname, 'bare-server.ts');
const READY_MS = 10_000;

/** Starts the real server, the bare one and, when asked for, PostgreSQL. `cleanUp` ends them. */
export async function startBench(
  { engine, seconds }: Options,
  cleanUp: AsyncDisposableStack,
): Promise<Bench> {
  const databaseUrl = engine === 'postgres' ? await emptyPostgres(cleanUp) : undefined;
  const environment: Record<string, string> =
    databaseUrl === undefined ? {} : { ATELIER_DATABASE_URL: databaseUrl };
  const server = cleanUp.use(await startServer({ environment }));
  const ours = { ...server, pid: server.process.pid };
  return { engine, seconds, ours, databaseUrl, bare: await startBareServer(cleanUp), cleanUp };
}

async function emptyPostgres(cleanUp: AsyncDisposableStack): Promise<string> {
  const postgres = await startPostgres();
  cleanUp.defer(async () => await postgres.stop());
  // Databases that rows make for servers of their own are on the same PostgreSQL.
  Object.assign(process.env, postgresEnvironment(postgres));
  return (await createPostgresDatabase()).url;
}

async function startBareServer(cleanUp: AsyncDisposableStack): Promise<Bench['bare']> {
  const { path: folder } = cleanUp.use(await temporaryFolder());
  const child = fork(BARE_SERVER, [folder]);
  cleanUp.defer(() => void child.kill());
  const ready = once(child, 'message', { signal: AbortSignal.timeout(READY_MS) });
  const [{ url }] = (await ready) as [{ url: string }];
  return { url, pid: child.pid, folder };
}
