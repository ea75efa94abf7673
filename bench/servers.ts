import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import {
  createPostgresDatabase,
  type Engine,
  postgresEnvironment,
  type RunningServer,
  startPostgres,
  startServer,
  temporaryFolder,
} from '@atelier/testing';

import type { Db } from '../packages/server/src/platform/db/database.ts';
import { openPostgres, openSqlite } from '../packages/server/src/platform/db/open-database.ts';
import { Secret } from '../packages/server/src/platform/secret.ts';
import type { Bench } from './row.ts';

const READY_MS = 10_000;

/** Starts the real server, the bare one and, when asked for, PostgreSQL. `cleanUp` ends them. */
export async function startBench(
  { engine, seconds }: { readonly engine: Engine; readonly seconds: number },
  cleanUp: AsyncDisposableStack,
): Promise<Bench> {
  if (engine === 'postgres') {
    const postgres = await startPostgres();
    cleanUp.defer(async () => await postgres.stop());
    // Servers that rows start get their databases from the same PostgreSQL.
    Object.assign(process.env, postgresEnvironment(postgres));
  }
  const server = cleanUp.use(await startServer({ engine }));
  const ours = { ...server, pid: server.process.pid };
  const { path: folder } = cleanUp.use(await temporaryFolder());
  const bare = fork(join(import.meta.dirname, 'drivers/bare-server.ts'), [folder]);
  cleanUp.defer(() => void bare.kill());
  const [{ url }] = (await once(bare, 'message', { signal: AbortSignal.timeout(READY_MS) })) as [
    { url: string },
  ];
  return { engine, seconds, ours, bare: { url, pid: bare.pid, folder }, cleanUp };
}

interface SeedOptions<Seeded> {
  readonly environment?: Readonly<Record<string, string>>;
  /** Writes what the server is to find, while it is stopped. */
  seed(db: Db): Promise<Seeded>;
}

/** A server of its own that starts on data which was written for it. */
export async function startSeeded<Seeded>(
  { engine, cleanUp }: Bench,
  { environment = {}, seed }: SeedOptions<Seeded>,
): Promise<{ readonly server: RunningServer; readonly seeded: Seeded }> {
  const database = engine === 'postgres' ? await createPostgresDatabase() : undefined;
  const settings = database ? { ATELIER_DATABASE_URL: database.url } : {};
  const fresh = cleanUp.use(await startServer({ environment: { ...settings, ...environment } }));
  // SQLite lets in one program at a time.
  await fresh.stop();
  const db = database
    ? await openPostgres({ url: new Secret(database.url), poolSize: 2, onLost: () => {} })
    : await openSqlite(join(fresh.dataFolder, 'atelier.sqlite'));
  const seeded = await seed(db);
  await db.destroy();
  return { server: cleanUp.use(await fresh.restart()), seeded };
}
