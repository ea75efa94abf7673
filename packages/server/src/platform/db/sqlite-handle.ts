import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import type { CompiledQuery, QueryResult } from 'kysely';

const KEPT_STATEMENTS = 500;
/** Pages that a connection keeps, in KiB. By default it is 2 MB, which indexes over a few thousand users do not fit into. */
const CACHE_KIB = 32 * 1024;

export type Handle = ReturnType<typeof openHandle>;

/** One connection to an SQLite file. */
export function openHandle(
  file: string,
  { readOnly, cacheKib = CACHE_KIB }: { readonly readOnly: boolean; readonly cacheKib?: number },
) {
  const database = new DatabaseSync(file, { readOnly, timeout: 5000, enableForeignKeyConstraints: true });
  if (!readOnly) {
    // Counts for a new file only. Of the requests of jobs three go onto such a page, and one onto one of the usual 4 KiB.
    database.exec('pragma page_size = 8192');
    database.exec('pragma journal_mode = wal');
    // A commit survives the death of the process; only a power cut may take the last ones with it.
    database.exec('pragma synchronous = normal');
    // Only the net under `sqlite-checkpoints.ts`: here it would wait for the disk.
    database.exec('pragma wal_autocheckpoint = 32000');
  }
  database.exec('pragma temp_store = memory');
  database.exec(`pragma cache_size = -${cacheKib}`);
  const recent = new Map<string, Prepared>();
  const forGood = new Map<string, Prepared>();

  /** Keeps the most recently used statements: preparing costs several times what running a key read does. */
  const prepareRecent = (sql: string): Prepared => {
    const prepared = recent.get(sql) ?? prepare(database, sql);
    recent.delete(sql);
    recent.set(sql, prepared);
    if (recent.size > KEPT_STATEMENTS) recent.delete(recent.keys().next().value ?? '');
    return prepared;
  };

  const prepareForGood = (sql: string): Prepared => {
    const prepared = forGood.get(sql) ?? prepare(database, sql);
    forGood.set(sql, prepared);
    return prepared;
  };

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
    /** The same for statements that are few: each is kept for good. */
    rows<R>(sql: string, parameters: readonly unknown[]): R[] {
      const prepared = prepareForGood(sql);
      if (prepared.columns.length > 0) return rowsOf<R>(prepared, parameters);
      prepared.statement.run(...(parameters as SQLInputValue[]));
      return [];
    },
    /** The number of the row that such a statement has inserted; `undefined` when it has inserted none. */
    insert(sql: string, parameters: readonly unknown[]): number | undefined {
      const { statement } = prepareForGood(sql);
      const { changes, lastInsertRowid } = statement.run(...(parameters as SQLInputValue[]));
      return changes > 0 ? Number(lastInsertRowid) : undefined;
    },
    *iterate<R>(query: CompiledQuery): Generator<QueryResult<R>> {
      // Its own statement: a kept one may be run again by somebody else between two rows.
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
  // Full-text tables leave row ids beyond 2^53 behind, and reporting one as a number would throw.
  else statement.setReadBigInts(true);
  return { statement, columns };
}

function rowsOf<R>({ statement, columns }: Prepared, parameters: readonly unknown[]): R[] {
  const values = statement.all(...(parameters as SQLInputValue[])) as unknown as unknown[][];
  return values.map((row) => toObject(columns, row) as R);
}

/** Plain objects of one shape: those of node:sqlite have no prototype and are several times as slow to read. */
function toObject(columns: readonly string[], values: readonly unknown[]): object {
  const row: Record<string, unknown> = {};
  for (let index = 0; index < columns.length; index += 1) row[columns[index] ?? ''] = values[index];
  return row;
}
