import { join } from 'node:path';
import { after, before, describe } from 'node:test';
import {
  clonePostgresTemplate,
  cloneSqliteTemplate,
  ENGINES,
  type Engine,
  temporaryFolder,
} from '@atelier/testing';

import type { Db } from '../../src/platform/db/database.ts';
import { openPostgres, openSqlite } from '../../src/platform/db/open-database.ts';
import { Secret } from '../../src/platform/secret.ts';

interface OpenDatabase extends AsyncDisposable {
  readonly db: Db;
}

/** A migrated, empty database of its own. */
async function openTestDatabase(engine: Engine): Promise<OpenDatabase> {
  if (engine === 'sqlite') {
    const folder = await temporaryFolder();
    const file = join(folder.path, 'atelier.sqlite');
    await cloneSqliteTemplate(file);
    const db = await openSqlite(file);
    return {
      db,
      [Symbol.asyncDispose]: async () => {
        await db.destroy();
        await folder[Symbol.asyncDispose]();
      },
    };
  }
  const database = await clonePostgresTemplate();
  const db = await openPostgres({ url: new Secret(database.url), poolSize: 10, onLost: () => {} });
  return {
    db,
    [Symbol.asyncDispose]: async () => {
      await db.destroy();
      await database.drop();
    },
  };
}

/** Registers the same tests once for SQLite and once for PostgreSQL. */
export function onEachDatabase(title: string, tests: (db: () => Db, engine: Engine) => void): void {
  for (const engine of ENGINES) {
    describe(`${title} on ${engine}`, () => {
      let open: OpenDatabase | undefined;
      before(async () => {
        open = await openTestDatabase(engine);
      });
      after(async () => {
        await open?.[Symbol.asyncDispose]();
      });
      tests(() => {
        if (!open) throw new Error('the database is open only while tests run');
        return open.db;
      }, engine);
    });
  }
}
