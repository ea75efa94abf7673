import { type Migration, Migrator } from 'kysely';
import { messageOf } from '../errors/message-of.ts';

import { StartError } from '../start-error.ts';
import { checkApplied, MIGRATION_TABLE, recordApplied } from './applied-migrations.ts';
import type { Db } from './database.ts';
import { CHECKSUMS } from './migrations/checksums.ts';

/** Kysely's own, as `MIGRATION_TABLE`. */
export const MIGRATION_LOCK_TABLE = 'migrations_lock';

/**
 * Brings the schema up to date. Kysely's migrator takes an advisory lock on PostgreSQL, so servers that
 * start at the same moment wait for each other; on SQLite the data folder's lock lets one server in.
 */
export async function migrate(
  db: Db,
  migrations: Readonly<Record<string, Migration>>,
  checksums = CHECKSUMS,
): Promise<void> {
  await checkApplied(db, migrations, checksums);
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => ({ ...migrations }) },
    migrationTableName: MIGRATION_TABLE,
    migrationLockTableName: MIGRATION_LOCK_TABLE,
  });
  const { error, results } = await migrator.migrateToLatest();
  if (error === undefined) {
    await recordApplied(db, checksums);
    return;
  }

  const unknown = /previously executed migration (\S+) is missing/.exec(messageOf(error))?.[1];
  if (unknown !== undefined) throw newer(unknown, migrations);
  const failed = results?.find((result) => result.status === 'Error')?.migrationName;
  if (failed === undefined) throw error;
  throw new StartError(`The database could not be migrated: step ${failed} failed (${messageOf(error)}).`, {
    cause: error,
  });
}

/**
 * Tables change only while no server uses them: one of an older version would go on with what it knows of them. Servers that start together
 * on an empty database do not hinder each other.
 */
export async function assertUnused(
  db: Db,
  migrations: Readonly<Record<string, Migration>>,
  countServers: () => Promise<number>,
): Promise<void> {
  if ((await pendingIn(db, migrations)) === 0) return;
  const running = await countServers();
  // One that runs by now may have upgraded them a moment ago.
  if (running === 0 || (await pendingIn(db, migrations)) === 0) return;
  throw new StartError(
    `This version of Atelier changes the tables of the database, and ${running === 1 ? 'a server of an older version still uses' : `${running} servers of an older version still use`} them. Stop all of those first.`,
  );
}

/** Refuses tables that a newer program has changed since they were opened. */
export async function assertNotNewer(db: Db, migrations: Readonly<Record<string, Migration>>): Promise<void> {
  const applied = await db.selectFrom(MIGRATION_TABLE).select('name').execute();
  const unknown = applied.find(({ name }) => !Object.hasOwn(migrations, name));
  if (unknown) throw newer(unknown.name, migrations);
}

/** None in an empty database. */
async function pendingIn(db: Db, migrations: Readonly<Record<string, Migration>>): Promise<number> {
  const tables = await db.introspection.getTables();
  if (!tables.some(({ name }) => name === MIGRATION_TABLE)) return 0;
  const { length } = await findMissingMigrations(db, migrations);
  return length === Object.keys(migrations).length ? 0 : length;
}

function newer(unknown: string, migrations: Readonly<Record<string, Migration>>): StartError {
  const newest = Object.keys(migrations).toSorted().at(-1) ?? '';
  return new StartError(
    `The database was made by a newer Atelier (it has migration ${unknown}, this program knows up to ${newest}). Start the newer version, or restore a backup from before the upgrade.`,
  );
}

/** Known to this program but not applied, such as after an older backup was restored under a running server. */
export async function findMissingMigrations(
  db: Db,
  migrations: Readonly<Record<string, Migration>>,
): Promise<string[]> {
  const applied = await db.selectFrom(MIGRATION_TABLE).select('name').execute();
  const names = new Set(applied.map(({ name }) => name));
  return Object.keys(migrations).filter((name) => !names.has(name));
}
