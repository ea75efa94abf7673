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

import { createCheckpoints } from './sqlite-checkpoints.ts';
import { type Handle, openHandle } from './sqlite-handle.ts';
import { createReaders } from './sqlite-readers.ts';
import { createWriteGroups, type OpenTransaction } from './sqlite-write-groups.ts';
import { createTableVersions, writtenTables } from './written-tables.ts';

const JOURNAL_SIZE = 'pragma wal_checkpoint(noop)';
const DATA_VERSION = 'pragma data_version';
/** How long a write of another program may go unnoticed. */
const LOOK_MS = 100;

type SqliteFile = ReturnType<typeof openFile>;

/** Kysely on the SQLite inside Node. See README.md for how reads, writes and transactions share the file. */
export function createSqliteDialect(file: string): Dialect {
  const opened = openFile(file);
  return {
    createAdapter: () => new SqliteFileAdapter(opened),
    createDriver: () => createSqliteDriver(opened),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

function openFile(file: string) {
  const writer = openHandle(file, { readOnly: false });
  const reader = openHandle(file, { readOnly: true });
  const checkpoints = createCheckpoints({
    file,
    journalPages: () => writer.rows<{ log: number }>(JOURNAL_SIZE, [])[0]?.log ?? 0,
    whileNobodyWrites: async (work) => await writing.hold(work),
  });
  const versions = createTableVersions();
  const writing = createWriteGroups(writer, () => {
    versions.committed();
    checkpoints.committed();
  });
  const outsideVersion = createOutsideVersion(writer);
  return { writer, reader, writing, checkpoints, versions, outsideVersion, readers: createReaders(file) };
}

/** Increases when another program has written. */
function createOutsideVersion(handle: Handle): () => number {
  let version = 0;
  let lookedAt = Number.NEGATIVE_INFINITY;
  return () => {
    const now = performance.now();
    if (now - lookedAt < LOOK_MS) return version;
    lookedAt = now;
    version = handle.rows<{ data_version: number }>(DATA_VERSION, [])[0]?.data_version ?? 0;
    return version;
  };
}

/**
 * The connection for reads of the last commit. Preferably the writer, because its pages stay in memory, while the reader forgets
 * all of its pages after every commit.
 */
function committed({ writer, reader, writing }: SqliteFile): Handle {
  return writing.isOpen() ? reader : writer;
}

interface TransactionStep {
  readonly sql: string;
  readonly parameters: readonly unknown[];
  /** See `writtenTables`. */
  readonly written: readonly string[] | undefined;
}

export class SqliteFileAdapter extends SqliteAdapter {
  readonly #file: SqliteFile;

  constructor(file: SqliteFile) {
    super();
    this.#file = file;
  }

  /** SQLite can roll back schema changes. Kysely assumes it cannot and would leave a failed migration half done. */
  override get supportsTransactionalDdl(): boolean {
    return true;
  }

  /** Changes whenever reads of these tables may have other answers. */
  versionOf(tables: readonly string[]): number {
    const { versions, outsideVersion } = this.#file;
    // Both only increase, so the sum is unique.
    return versions.of(tables) + outsideVersion();
  }

  /** Runs a compiled read outside of transactions, without the overhead of Kysely. */
  read<R>(sql: string, parameters: readonly unknown[]): R[] {
    return committed(this.#file).rows<R>(sql, parameters);
  }

  /** See `slowRead`. */
  async readAside(sql: string, parameters: readonly unknown[]): Promise<unknown[]> {
    return await this.#file.readers.read(sql, parameters);
  }

  /** The same as `read` within a transaction, which is the only writer at the moment. */
  runInTransaction<R>({ sql, parameters, written }: TransactionStep): R[] {
    this.#file.versions.written(written);
    return this.#file.writer.rows<R>(sql, parameters);
  }

  insertInTransaction({ sql, parameters, written }: TransactionStep): number | undefined {
    this.#file.versions.written(written);
    return this.#file.writer.insert(sql, parameters);
  }

  /** See `writeTogether`. */
  async together<T>(work: () => T): Promise<T> {
    return await this.#file.writing.together(work);
  }
}

function createSqliteDriver(file: SqliteFile): Driver {
  const { writer, reader, writing, checkpoints, versions, readers } = file;
  const held = new WeakMap<DatabaseConnection, OpenTransaction>();
  const idle: DatabaseConnection[] = [];

  const connect = (): DatabaseConnection => {
    const connection: DatabaseConnection = {
      async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
        const write = (): QueryResult<R> => {
          versions.written(writtenTables(query.query));
          return writer.run<R>(query);
        };
        if (held.has(connection)) return write();
        // In WAL mode reads never wait for an open transaction.
        if (query.query.kind === 'SelectQueryNode') return committed(file).run<R>(query);
        return await writing.alone(write);
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
    async rollbackTransaction(connection) {
      // A failed commit has undone everything, and callers should see its failure.
      if (held.has(connection)) await leave(connection).rollback();
    },
    async destroy() {
      await checkpoints.close();
      await readers.close();
      reader.close();
      writer.close();
    },
  };
}
