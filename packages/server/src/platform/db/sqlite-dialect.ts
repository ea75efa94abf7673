import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';

import { createWriteGroups, type OpenTransaction } from './sqlite-write-groups.ts';

const KEPT_STATEMENTS = 500;
/** Pages that a connection keeps, in KiB. By default it is 2 MB, which indexes over a few thousand users do not fit into. */
const CACHE_KIB = 32 * 1024;

/** Kysely on the SQLite inside Node. See README.md for how reads, writes and transactions share the file. */
export function createSqliteDialect(file: string): Dialect {
  const writer = openHandle(file, { readOnly: false });
  const reader = openHandle(file, { readOnly: true });
  return {
    createAdapter: () => new SqliteFileAdapter(reader, writer),
    createDriver: () => createSqliteDriver(writer, reader),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

export class SqliteFileAdapter extends SqliteAdapter {
  readonly #reader: Handle;
  readonly #writer: Handle;

  constructor(reader: Handle, writer: Handle) {
    super();
    this.#reader = reader;
    this.#writer = writer;
  }

  /** SQLite can undo a change of the schema; Kysely assumes the opposite and would leave a failed migration half done. */
  override get supportsTransactionalDdl(): boolean {
    return true;
  }

  /** Runs a compiled read outside of any transaction, without the stations that Kysely puts before it. */
  read<R>(query: CompiledQuery<R>): R[] {
    return this.#reader.run<R>(query).rows;
  }

  /** The same inside of a transaction, which is the only one that writes at this moment. */
  runInTransaction<R>(query: CompiledQuery<R>): R[] {
    return this.#writer.run<R>(query).rows;
  }
}

function createSqliteDriver(writer: Handle, reader: Handle): Driver {
  const writing = createWriteGroups(writer);
  const held = new WeakMap<DatabaseConnection, OpenTransaction>();
  const idle: DatabaseConnection[] = [];

  const connect = (): DatabaseConnection => {
    const connection: DatabaseConnection = {
      async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
        if (held.has(connection)) return writer.run<R>(query);
        // In WAL mode a reader sees the last commit and never waits for an open transaction.
        if (query.query.kind === 'SelectQueryNode') return reader.run<R>(query);
        return await writing.alone(() => writer.run<R>(query));
      },
      async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
        yield* (held.has(connection) ? writer : reader).iterate<R>(query);
      },
    };
    return connection;
  };

  const leave = (connection: DatabaseConnection): OpenTransaction => {
    const transaction = held.get(connection);
    if (!transaction) throw new Error('There is no transaction to end.');
    held.delete(connection);
    return transaction;
  };

  return {
    init: async () => {},
    acquireConnection: async () => idle.pop() ?? connect(),
    releaseConnection: async (connection) => {
      idle.push(connection);
    },
    async beginTransaction(connection) {
      held.set(connection, await writing.begin());
    },
    commitTransaction: async (connection) => await leave(connection).commit(),
    rollbackTransaction: async (connection) => await leave(connection).rollback(),
    async destroy() {
      reader.close();
      writer.close();
    },
  };
}

interface Handle {
  run<R>(query: CompiledQuery): QueryResult<R>;
  iterate<R>(query: CompiledQuery): Generator<QueryResult<R>>;
  close(): void;
}

function openHandle(file: string, { readOnly }: { readOnly: boolean }): Handle {
  const database = new DatabaseSync(file, { readOnly, timeout: 5000, enableForeignKeyConstraints: true });
  if (!readOnly) {
    database.exec('pragma journal_mode = wal');
    // A commit survives the death of the process; only a power cut may take the last ones with it.
    database.exec('pragma synchronous = normal');
    // A checkpoint waits for the disk. Rarer than by default, it writes pages that change all the time once for many commits.
    database.exec('pragma wal_autocheckpoint = 16000');
  }
  database.exec('pragma temp_store = memory');
  database.exec(`pragma cache_size = -${CACHE_KIB}`);
  const prepare = keepStatements(database);

  return {
    run<R>(query: CompiledQuery): QueryResult<R> {
      const { statement, columns } = prepare(query.sql);
      const parameters = query.parameters as SQLInputValue[];
      if (columns.length > 0) {
        const values = statement.all(...parameters) as unknown as unknown[][];
        const rows = values.map((row) => toObject(columns, row) as R);
        return { rows, numAffectedRows: BigInt(rows.length) };
      }
      const { changes } = statement.run(...parameters);
      return { rows: [], numAffectedRows: BigInt(changes) };
    },
    *iterate<R>(query: CompiledQuery): Generator<QueryResult<R>> {
      // Its own statement: a kept one may be run again by somebody else between two rows.
      for (const row of database.prepare(query.sql).iterate(...(query.parameters as SQLInputValue[]))) {
        yield { rows: [row as R] };
      }
    },
    close: () => database.close(),
  };
}

/** Plain objects of one shape: those of node:sqlite have no prototype and are several times as slow to read. */
function toObject(columns: readonly string[], values: readonly unknown[]): object {
  const row: Record<string, unknown> = {};
  for (let index = 0; index < columns.length; index += 1) row[columns[index] ?? ''] = values[index];
  return row;
}

interface Prepared {
  readonly statement: StatementSync;
  /** Empty when it returns no rows. */
  readonly columns: readonly string[];
}

/** Keeps the most recently used statements: preparing costs several times what running a key read does. */
function keepStatements(database: DatabaseSync): (sql: string) => Prepared {
  const kept = new Map<string, Prepared>();
  return (sql) => {
    let prepared = kept.get(sql);
    if (prepared) {
      kept.delete(sql);
    } else {
      const statement = database.prepare(sql);
      const columns = statement.columns().map(({ name }) => name);
      if (columns.length > 0) statement.setReturnArrays(true);
      // Full-text tables leave row ids beyond 2^53 behind, and reporting one as a number would throw.
      else statement.setReadBigInts(true);
      prepared = { statement, columns };
    }
    kept.set(sql, prepared);
    if (kept.size > KEPT_STATEMENTS) kept.delete(kept.keys().next().value ?? '');
    return prepared;
  };
}
