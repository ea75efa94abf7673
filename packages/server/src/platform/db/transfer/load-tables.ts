import { CompiledQuery, Migrator, sql } from 'kysely';
import { messageOf } from '../../errors/message-of.ts';

import { MIGRATION_TABLE, recordApplied } from '../applied-migrations.ts';
import { type Db, engineOf } from '../database.ts';
import { MIGRATION_LOCK_TABLE } from '../migrate.ts';
import { CHECKSUMS } from '../migrations/checksums.ts';
import { MIGRATIONS } from '../migrations/index.ts';
import type { Cell, Row } from './row-lines.ts';

export interface TableContent {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: AsyncIterable<Row>;
  /** The expected number of rows. */
  readonly count: number;
  /** The last number of `seq`, if it is generated. */
  readonly counter: number | undefined;
}

export class RowsRefused extends Error {
  override readonly name = 'RowsRefused';
}

const MAX_ROWS = 100;
const MAX_BYTES = 4 * 2 ** 20;

/** Creates Kysely's own tables, which it does outside of transactions. */
export async function createMigrationTables(db: Db): Promise<void> {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => await Promise.resolve({}) },
    migrationTableName: MIGRATION_TABLE,
    migrationLockTableName: MIGRATION_LOCK_TABLE,
  });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
}

/** Creates the tables of these migrations in a transaction. Kysely's migrator would use its own. */
export async function createTables(tx: Db, migrations: readonly string[]): Promise<void> {
  for (const name of migrations) {
    await MIGRATIONS[name]?.up(tx);
    const timestamp = new Date().toISOString();
    await sql`insert into ${sql.table(MIGRATION_TABLE)} (name, timestamp) values (${name}, ${timestamp})`.execute(
      tx,
    );
  }
  await recordApplied(tx, CHECKSUMS);
}

/** Fills a table, and removes rows that its migration has inserted. */
export async function loadTable(
  tx: Db,
  { name, columns, rows, count, counter }: TableContent,
): Promise<void> {
  await sql`delete from ${sql.table(name)}`.execute(tx);
  const insert = createInsert(tx, name, columns);
  let batch: Row[] = [];
  let bytes = 0;
  const flush = async (): Promise<void> => {
    if (batch.length > 0) await insert(batch);
    batch = [];
    bytes = 0;
  };
  for await (const row of rows) {
    if (row.length !== columns.length) throw new RowsRefused(`a row of ${name} has ${row.length} columns`);
    batch.push(row);
    bytes += row.reduce((sum: number, cell) => sum + sizeOf(cell), 0);
    if (batch.length === MAX_ROWS || bytes > MAX_BYTES) await flush();
  }
  await flush();
  if (counter !== undefined && counter > 0) await setCounter(tx, name, counter);
  const { rows: counted } = await sql<{ count: number }>`select count(*) as count
    from ${sql.table(name)}`.execute(tx);
  const found = Number(counted[0]?.count);
  if (found !== count) throw new RowsRefused(`${name} has ${found} rows, not ${count}`);
}

function createInsert(tx: Db, table: string, columns: readonly string[]) {
  const isPostgres = engineOf(tx) === 'postgres';
  const names = columns.map((name) => `"${name}"`).join(', ');
  const head = `insert into "${table}" (${names})${isPostgres ? ' overriding system value' : ''} values `;
  const textOf = (count: number): string => {
    const row = (_: unknown, at: number): string =>
      `(${columns.map((_name, index) => (isPostgres ? `$${at * columns.length + index + 1}` : '?')).join(', ')})`;
    return head + Array.from({ length: count }, row).join(', ');
  };
  const full = textOf(MAX_ROWS);
  return async (rows: readonly Row[]): Promise<void> => {
    const text = rows.length === MAX_ROWS ? full : textOf(rows.length);
    try {
      await tx.executeQuery(CompiledQuery.raw(text, rows.flat()));
    } catch (error) {
      const reason = messageOf(error);
      throw new RowsRefused(`rows of ${table} were not taken: ${reason}`, { cause: error });
    }
  };
}

/** Continues the numbers of `seq`, even if the last rows were deleted. */
async function setCounter(tx: Db, table: string, counter: number): Promise<void> {
  if (engineOf(tx) === 'postgres') {
    // Rows may have higher numbers than the counter.
    await sql`select setval(pg_get_serial_sequence(${table}, 'seq'), greatest(${counter}, max(seq)))
      from ${sql.table(table)}`.execute(tx);
    return;
  }
  await sql`delete from sqlite_sequence where name = ${table}`.execute(tx);
  await sql`insert into sqlite_sequence (name, seq) values (${table}, ${counter})`.execute(tx);
}

function sizeOf(cell: Cell): number {
  return typeof cell === 'string' || cell instanceof Uint8Array ? cell.length : 8;
}
