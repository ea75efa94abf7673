import { join } from 'node:path';
import { createPostgresDatabase, type Engine, type RunningServer, startServer } from '@atelier/testing';

import type { Db } from '../packages/server/src/platform/db/database.ts';
import { openPostgres, openSqlite } from '../packages/server/src/platform/db/open-database.ts';
import { Secret } from '../packages/server/src/platform/secret.ts';

interface Options<Seeded> {
  readonly engine: Engine;
  readonly environment?: Readonly<Record<string, string>>;
  /** Writes what the server is to find, while it is stopped. */
  seed(db: Db): Promise<Seeded>;
}

/** A server of its own that starts on data which was written for it. */
export async function startSeeded<Seeded>({
  engine,
  environment = {},
  seed,
}: Options<Seeded>): Promise<{ readonly server: RunningServer; readonly seeded: Seeded }> {
  const database = engine === 'postgres' ? await createPostgresDatabase() : undefined;
  const settings = database ? { ATELIER_DATABASE_URL: database.url } : {};
  const fresh = await startServer({ environment: { ...settings, ...environment } });
  // SQLite lets in one program at a time.
  await fresh.stop();
  const db = database
    ? await openPostgres({ url: new Secret(database.url), poolSize: 2, onLost: () => {} })
    : await openSqlite(join(fresh.dataFolder, 'atelier.sqlite'));
  let seeded: Seeded;
  try {
    seeded = await seed(db);
  } finally {
    await db.destroy();
  }
  return { server: await fresh.restart(), seeded };
}
