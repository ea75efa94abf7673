import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';

import { createMutex, type Release } from '../mutex.ts';

const KEPT_STATEMENTS = 500;

/** Kysely on the SQLite inside Node. See README.md for how reads, writes and transactions share the file. */
export function createSqliteDialect(file: string): Dialect {
  return {
    createAdapter: () => new TransactionalAdapter(),
    createDriver: () => createSqliteDriver(file),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

/** SQLite can undo a change of the schema; Kysely assumes the opposite and would leave a failed migration half done. */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

function createSqliteDriver(file: string): Driver {
  const writer = openHandle(file, { readOnly: false });
  const reader = openHandle(file, { readOnly: true });
  const writing = createMutex();
  const held = new WeakMap<DatabaseConnection, Release>();

  const connect = (): DatabaseConnection => {
    const connection: DatabaseConnection = {
      async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
        if (held.has(connection)) return writer.run<R>(query);
        // In WAL mode a reader sees the last commit and never waits for an open transaction.
        if (query.query.kind === 'SelectQueryNode') return reader.run<R>(query);
        const release = await writing.acquire();
        try {
          return writer.run<R>(query);
        } finally {
          release();
        }
      },
      async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
        yield* (held.has(connection) ? writer : reader).iterate<R>(query);
      },
    };
    return connection;
  };

  const end = (connection: DatabaseConnection, word: 'commit' | 'rollback'): void => {
    const release = held.get(connection);
    held.delete(connection);
    try {
      writer.run(CompiledQuery.raw(word));
    } finally {
      release?.();
    }
  };

  return {
    init: async () => {},
    acquireConnection: async () => connect(),
    releaseConnection: async () => {},
    async beginTransaction(connection) {
      const release = await writing.acquire();
      try {
        // Immediate: the write lock is taken now, so a transaction never fails half way for want of it.
        writer.run(CompiledQuery.raw('begin immediate'));
        held.set(connection, release);
      } catch (error) {
        release();
        throw error;
      }
    },
    commitTransaction: async (connection) => end(connection, 'commit'),
    rollbackTransaction: async (connection) => end(connection, 'rollback'),
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
  }
  database.exec('pragma temp_store = memory');
  const prepare = keepStatements(database);

  return {
    run<R>(query: CompiledQuery): QueryResult<R> {
      const { statement, returnsRows } = prepare(query.sql);
      const parameters = query.parameters as SQLInputValue[];
      if (returnsRows) {
        const rows = statement.all(...parameters) as R[];
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

interface Prepared {
  readonly statement: StatementSync;
  readonly returnsRows: boolean;
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
      prepared = { statement, returnsRows: statement.columns().length > 0 };
    }
    kept.set(sql, prepared);
    if (kept.size > KEPT_STATEMENTS) kept.delete(kept.keys().next().value ?? '');
    return prepared;
  };
}
