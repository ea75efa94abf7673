import type { Database, Db } from './database.ts';
import { SqliteFileAdapter } from './sqlite-dialect.ts';

const MAX_ROWS = 10_000;

interface Kept<Row> {
  readonly version: number;
  readonly rows: Map<string, readonly Row[]>;
}

/**
 * Caches the rows of a query until its tables (`from`) change. For what every request reads, such as its caller. On PostgreSQL
 * other servers write too, so nothing is cached there.
 */
export function keepRows<Name extends string, Row>(
  query: (db: Db, values: Readonly<Record<Name, string>>) => Promise<Row[]>,
  { by, from }: { readonly by: Name; readonly from: readonly (keyof Database)[] },
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
