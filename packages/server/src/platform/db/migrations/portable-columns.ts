import { type CreateTableBuilder, type Kysely, PostgresAdapter, sql } from 'kysely';

export function isPostgres(db: Kysely<never>): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}

export function bytesType(db: Kysely<never>) {
  return isPostgres(db) ? 'bytea' : 'blob';
}

/** A primary key `seq` that counts up with every row. */
export function addSequence<T extends string>(
  table: CreateTableBuilder<T>,
  db: Kysely<never>,
): CreateTableBuilder<T, 'seq'> {
  if (isPostgres(db)) {
    return table.addColumn('seq', 'bigint', (column) => column.primaryKey().generatedAlwaysAsIdentity());
  }
  // In SQLite exactly `integer primary key` names the row id; autoincrement keeps it from being reused.
  return table.addColumn('seq', sql`integer`, (column) => column.primaryKey().autoIncrement());
}

/** A primary key that is the `seq` of a row of another table, and goes with it. */
export function addSequenceOf<T extends string, C extends string>(
  table: CreateTableBuilder<T>,
  name: C,
  { of, db }: { readonly of: string; readonly db: Kysely<never> },
): CreateTableBuilder<T, C> {
  return table.addColumn(name, isPostgres(db) ? 'bigint' : sql`integer`, (column) =>
    column.primaryKey().references(`${of}.seq`).onDelete('cascade'),
  );
}
