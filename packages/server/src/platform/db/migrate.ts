import { type Migration, Migrator } from 'kysely';
import { messageOf } from '../errors/message-of.ts';

import { StartError } from '../start-error.ts';
import { checkApplied, MIGRATION_TABLE, recordApplied } from './applied-migrations.ts';
import type { Db } from './database.ts';
import { CHECKSUMS } from './migrations/checksums.ts';
import { MIGRATIONS } from './migrations/index.ts';
import { countRunningServers } from './running-servers.repo.ts';

/** Kysely's table, like `MIGRATION_TABLE`. */
export const MIGRATION_LOCK_TABLE = 'migrations_lock';

/**
 * Brings the schema up to date. On PostgreSQL, Kysely's migrator takes an advisory lock, so servers that start together wait
 * for each other; on SQLite the lock of the data folder admits one server.
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

/** Refuses to upgrade tables that servers of an older version still use. */
export async function assertUnused(db: Db): Promise<void> {
  if (!(await isOutdated(db))) return;
  const running = await countRunningServers(db);
  // A running server may have upgraded them meanwhile.
  if (running === 0 || !(await isOutdated(db))) return;
  throw new StartError(
    `This version of Atelier changes the tables of the database, and ${running === 1 ? 'a server of an older version still uses' : `${running} servers of an older version still use`} them. Stop all of those first.`,
  );
}

/**
 * Refuses tables that a newer server has upgraded since they were opened. Checked once other servers can see this one: from then
 * on they do not upgrade.
 */
export async function assertStillCurrent(db: Db): Promise<void> {
  const unknown = (await appliedTo(db)).find((name) => !Object.hasOwn(MIGRATIONS, name));
  if (unknown !== undefined) throw newer(unknown, MIGRATIONS);
}

/** False for an empty database. */
async function isOutdated(db: Db): Promise<boolean> {
  const tables = await db.introspection.getTables();
  if (!tables.some(({ name }) => name === MIGRATION_TABLE)) return false;
  const { length } = await findMissingMigrations(db);
  return length > 0 && length < Object.keys(MIGRATIONS).length;
}

function newer(unknown: string, migrations: Readonly<Record<string, Migration>>): StartError {
  const newest = Object.keys(migrations).toSorted().at(-1) ?? '';
  return new StartError(
    `The database was made by a newer Atelier (it has migration ${unknown}, this program knows up to ${newest}). Start the newer version, or restore a backup from before the upgrade.`,
  );
}

/** Migrations of this program that the database lacks, for example after restoring an older backup under a running server. */
export async function findMissingMigrations(db: Db): Promise<string[]> {
  const applied = new Set(await appliedTo(db));
  return Object.keys(MIGRATIONS).filter((name) => !applied.has(name));
}

export async function appliedTo(db: Db): Promise<string[]> {
  const applied = await db.selectFrom(MIGRATION_TABLE).select('name').execute();
  return applied.map(({ name }) => name);
}
