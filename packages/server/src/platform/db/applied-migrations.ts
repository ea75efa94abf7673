import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Kysely, type Migration, type TableMetadata } from 'kysely';

import { StartError } from '../start-error.ts';
import { type Db, withTransaction } from './database.ts';
import { lockByName } from './lock-by-name.ts';
import { createSqliteDialect } from './sqlite-dialect.ts';
import { RESTORE_TABLE, unfinishedRestore } from './unfinished-restore.ts';

/** Kysely's table of applied migrations. */
export const MIGRATION_TABLE = 'migrations';
/** Not made by a migration, because it is needed before the first one. */
const CHECKSUM_TABLE = 'migration_checksums';
/** The search index, which has other columns on PostgreSQL. */
export const SEARCH_TABLE = 'pack_search';

type Migrations = Readonly<Record<string, Migration>>;
type Checksums = Readonly<Record<string, string>>;

/**
 * Refuses a database whose applied migrations differ from those of this program, before anything is changed. Migrations
 * without a recorded checksum are checked by the tables and columns they should have made.
 */
export async function checkApplied(db: Db, migrations: Migrations, checksums: Checksums): Promise<void> {
  const tables = await db.introspection.getTables();
  const has = (name: string) => tables.some((table) => table.name === name);
  if (has(RESTORE_TABLE)) throw unfinishedRestore();
  if (!has(MIGRATION_TABLE)) return;
  const applied = await db.selectFrom(MIGRATION_TABLE).select('name').orderBy('name').execute();
  const recorded = has(CHECKSUM_TABLE) ? await db.selectFrom(CHECKSUM_TABLE).selectAll().execute() : [];
  for (const { name, checksum } of recorded) {
    if (checksums[name] !== undefined && checksums[name] !== checksum) {
      throw refusal(`it was made with another edition of migration ${name}`);
    }
  }
  const isRecorded = new Set(recorded.map(({ name }) => name));
  if (applied.every(({ name }) => isRecorded.has(name) || checksums[name] === undefined)) return;
  const names = applied.map(({ name }) => name);
  const expected = await withTablesOf(names, migrations, async (_db, made) => await Promise.resolve(made));
  const missing = firstMissing(tables, expected);
  if (missing !== undefined) throw refusal(`${missing} is missing, although its migration was applied`);
}

export async function recordApplied(db: Db, checksums: Checksums): Promise<void> {
  await withTransaction(db, async (tx) => {
    // On PostgreSQL, creating the same table concurrently fails even with "if not exists".
    await lockByName(tx, CHECKSUM_TABLE);
    await tx.schema
      .createTable(CHECKSUM_TABLE)
      .ifNotExists()
      .addColumn('name', 'text', (column) => column.primaryKey())
      .addColumn('checksum', 'text', (column) => column.notNull())
      .execute();
    const applied = await tx.selectFrom(MIGRATION_TABLE).select('name').execute();
    for (const { name } of applied) {
      const checksum = checksums[name];
      if (checksum === undefined) continue;
      const row = tx.insertInto(CHECKSUM_TABLE).values({ name, checksum });
      await row.onConflict((conflict) => conflict.doNothing()).execute();
    }
  });
}

/** Passes an empty database after these migrations to `look`. */
export async function withTablesOf<T>(
  names: readonly string[],
  migrations: Migrations,
  look: (db: Kysely<never>, tables: TableMetadata[]) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-schema-'));
  const db = new Kysely<never>({ dialect: createSqliteDialect(join(folder, 'schema.sqlite')) });
  try {
    for (const name of names) await migrations[name]?.up(db);
    return await look(db, await db.introspection.getTables());
  } finally {
    await db.destroy();
    await rm(folder, { recursive: true });
  }
}

/** Ignores the search index, which has several tables on SQLite. */
function firstMissing(
  actual: readonly TableMetadata[],
  expected: readonly TableMetadata[],
): string | undefined {
  const partsOf = ({ name, columns }: TableMetadata) => [
    `table ${name}`,
    ...columns.map((column) => `column ${name}.${column.name}`),
  ];
  const found = new Set(actual.flatMap(partsOf));
  return expected
    .filter(({ name }) => !name.startsWith(SEARCH_TABLE))
    .flatMap(partsOf)
    .find((part) => !found.has(part));
}

function refusal(why: string): StartError {
  return new StartError(
    `The database does not fit this version of Atelier: ${why}. Start the version that made it, or start with an empty database. It was not changed.`,
  );
}
