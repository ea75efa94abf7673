import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import type { CompiledQuery, QueryResult } from 'kysely';

const KEPT_STATEMENTS = 500;
/** Page cache of a connection. The default of 2 MB is too small for the indexes of a few thousand users. */
const CACHE_KIB = 32 * 1024;

export type Handle = ReturnType<typeof openHandle>;

/** One connection to an SQLite file. */
export function openHandle(
  file: string,
  { readOnly, cacheKib = CACHE_KIB }: { readonly readOnly: boolean; readonly cacheKib?: number },
) {
  const database = new DatabaseSync(file, { readOnly, timeout: 5000, enableForeignKeyConstraints: true });
  if (!readOnly) {
    // For new files only. Three requests of jobs fit into such a page, but only one into the default of 4 KiB.
    database.exec('pragma page_size = 8192');
    database.exec('pragma journal_mode = wal');
    // Commits survive a crash of the process; a power cut may lose the last ones.
    database.exec('pragma synchronous = normal');
    // A fallback for `sqlite-checkpoints.ts`, because here it would wait for the disk.
    database.exec('pragma wal_autocheckpoint = 32000');
  }
  database.exec('pragma temp_store = memory');
  database.exec(`pragma cache_size = -${cacheKib}`);
  const recent = new Map<string, Prepared>();
  const lasting = new Map<string, Prepared>();

  /** Keeps recently used statements: preparing one costs several times as much as reading by key. */
  const prepareRecent = (sql: string): Prepared => {
    const prepared = recent.get(sql) ?? prepare(database, sql);
    recent.delete(sql);
    recent.set(sql, prepared);
    if (recent.size > KEPT_STATEMENTS) recent.delete(recent.keys().next().value ?? '');
    return prepared;
  };

  const prepareLasting = (sql: string): Prepared =>
    lasting.getOrInsertComputed(sql, () => prepare(database, sql));

  return {
    run<R>({ sql, parameters }: Pick<CompiledQuery, 'sql' | 'parameters'>): QueryResult<R> {
      const prepared = prepareRecent(sql);
      if (prepared.columns.length > 0) {
        const rows = rowsOf<R>(prepared, parameters);
        return { rows, numAffectedRows: BigInt(rows.length) };
      }
      const { changes } = prepared.statement.run(...(parameters as SQLInputValue[]));
      return { rows: [], numAffectedRows: BigInt(changes) };
    },
    /** For a limited number of statements, which are kept forever. */
    rows<R>(sql: string, parameters: readonly unknown[]): R[] {
      const prepared = prepareLasting(sql);
      if (prepared.columns.length > 0) return rowsOf<R>(prepared, parameters);
      prepared.statement.run(...(parameters as SQLInputValue[]));
      return [];
    },
    /** The number of the inserted row; `undefined` when none was inserted. */
    insert(sql: string, parameters: readonly unknown[]): number | undefined {
      const { statement } = prepareLasting(sql);
      const { changes, lastInsertRowid } = statement.run(...(parameters as SQLInputValue[]));
      return changes > 0 ? Number(lastInsertRowid) : undefined;
    },
    *iterate<R>(query: CompiledQuery): Generator<QueryResult<R>> {
      // Not a shared statement, which could run again between two rows.
      for (const row of database.prepare(query.sql).iterate(...(query.parameters as SQLInputValue[]))) {
        yield { rows: [row as R] };
      }
    },
    close: (): void => database.close(),
  };
}

interface Prepared {
  readonly statement: StatementSync;
  /** Empty when it returns no rows. */
  readonly columns: readonly string[];
}

function prepare(database: DatabaseSync, sql: string): Prepared {
  const statement = database.prepare(sql);
  const columns = statement.columns().map(({ name }) => name);
  if (columns.length > 0) statement.setReturnArrays(true);
  // Writes to full-text tables report row ids beyond 2^53, which would throw as numbers.
  else statement.setReadBigInts(true);
  return { statement, columns };
}

function rowsOf<R>({ statement, columns }: Prepared, parameters: readonly unknown[]): R[] {
  const values = statement.all(...(parameters as SQLInputValue[])) as unknown as unknown[][];
  return values.map((row) => toObject(columns, row) as R);
}

/** Objects of node:sqlite have no prototype and are several times as slow to read. */
function toObject(columns: readonly string[], values: readonly unknown[]): object {
  const row: Record<string, unknown> = {};
  for (let index = 0; index < columns.length; index += 1) row[columns[index] ?? ''] = values[index];
  return row;
}
