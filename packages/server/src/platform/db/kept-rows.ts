import type { Database, Db } from './database.ts';
import { SqliteFileAdapter } from './sqlite-dialect.ts';

const MAX_ROWS = 10_000;

interface Kept<Row> {
  readonly version: number;
  readonly rows: Map<string, readonly Row[]>;
}

interface Options<Name> {
  /** What rows are asked for by. */
  readonly by: Name;
  /** Every table that the query reads. */
  readonly from: readonly (keyof Database)[];
}

/**
 * A read whose answers are kept until something is committed to its tables. For what every request asks again, such as who its caller
 * is. On PostgreSQL other servers write too, so nothing is kept there.
 */
export function keepRows<Name extends string, Row>(
  query: (db: Db, values: Readonly<Record<Name, string>>) => Promise<Row[]>,
  { by, from }: Options<Name>,
): (db: Db, values: Readonly<Record<Name, string>>) => Promise<readonly Row[]> {
  const files = new WeakMap<SqliteFileAdapter, Kept<Row>>();

  const keptOf = (adapter: SqliteFileAdapter): Kept<Row> => {
    const version = adapter.versionOf(from);
    const known = files.get(adapter);
    if (known && known.version === version && known.rows.size < MAX_ROWS) return known;
    const fresh = { version, rows: new Map<string, readonly Row[]>() };
    files.set(adapter, fresh);
    return fresh;
  };

  return async (db, values) => {
    const { adapter } = db.getExecutor();
    if (!(adapter instanceof SqliteFileAdapter) || db.isTransaction) return await query(db, values);
    const { rows } = keptOf(adapter);
    const known = rows.get(values[by]);
    if (known) return known;
    const found = await query(db, values);
    rows.set(values[by], found);
    return found;
  };
}
