import { type Migration, Migrator } from 'kysely';

import { StartError } from '../start-error.ts';
import { checkApplied, MIGRATION_TABLE, recordApplied } from './applied-migrations.ts';
import type { Db } from './database.ts';
import { CHECKSUMS } from './migrations/checksums.ts';

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
    migrationLockTableName: 'migrations_lock',
  });
  const newest = Object.keys(migrations).toSorted().at(-1) ?? '';
  const { error, results } = await migrator.migrateToLatest();
  if (error === undefined) {
    await recordApplied(db, checksums);
    return;
  }

  const unknown = /previously executed migration (\S+) is missing/.exec(messageOf(error))?.[1];
  if (unknown !== undefined) {
    throw new StartError(
      `The database was made by a newer Atelier (it has migration ${unknown}, this program knows up to ${newest}). Start the newer version, or restore a backup from before the upgrade.`,
    );
  }
  const failed = results?.find((result) => result.status === 'Error')?.migrationName;
  if (failed === undefined) throw error;
  throw new StartError(`The database could not be migrated: step ${failed} failed (${messageOf(error)}).`, {
    cause: error,
  });
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

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
