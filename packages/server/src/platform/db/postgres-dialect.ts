import type { Socket } from 'node:net';
import {
  type Dialect,
  type PostgresCursor,
  PostgresDialect,
  type PostgresPool,
  type PostgresPoolClient,
  type PostgresQueryResult,
} from 'kysely';
import pg from 'pg';

import type { Secret } from '../secret.ts';

const INT8 = 20;
/** PostgreSQL ends late statements itself. If it is silent for this much longer, the connection is dead. */
const ANSWER_MARGIN_MS = 5000;

const statementNames = new Map<string, string>();

/** Makes PostgreSQL keep this statement planned on each connection. Only for a limited number of texts. */
export function nameStatement(text: string): void {
  if (!statementNames.has(text)) statementNames.set(text, `atelier_${statementNames.size}`);
}

interface PostgresOptions {
  readonly url: Secret;
  readonly poolSize: number;
  /** Limits the duration of statements. Not for migrations, which wait for each other. */
  readonly statementMs?: number;
  /** Called when a connection breaks, in use or idle. */
  readonly onLost: (error: Error) => void;
}

export function createPostgresDialect({ url, poolSize, statementMs, onLost }: PostgresOptions): Dialect {
  const pool = new pg.Pool({
    connectionString: url.reveal(),
    max: poolSize,
    connectionTimeoutMillis: 5000,
    application_name: 'atelier',
    ...(statementMs !== undefined && {
      statement_timeout: statementMs,
      idle_in_transaction_session_timeout: statementMs,
      query_timeout: statementMs + ANSWER_MARGIN_MS,
    }),
    // Detects idle connections that a firewall has dropped before a statement needs them.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    types: {
      // Times and counters are 64-bit in the database but stay below 2^53.
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        oid === INT8 ? Number : pg.types.getTypeParser(oid, format),
    },
  });
  // A broken connection emits an error besides failing its statement: on the client while it is in use, on the pool while it is
  // idle. Without listeners either would be an uncaught exception.
  pool.on('connect', (client) => client.on('error', onLost));
  pool.on('error', () => {});
  return new PostgresDialect({ pool: nameStatements(pool) });
}

/** Adds the names of prepared statements, which Kysely does not know. */
function nameStatements(pool: pg.Pool): PostgresPool {
  // Kysely recognizes connections by their clients.
  const clients = new WeakMap<pg.PoolClient, PostgresPoolClient>();
  return {
    connect: async () => {
      const client = await pool.connect();
      return clients.getOrInsertComputed(client, naming);
    },
    end: async () => await pool.end(),
  };
}

/** Message of the driver after `query_timeout`. It would keep waiting for the answer before the next statement. */
const NO_ANSWER = 'Query read timeout';

function destroySocket(client: pg.PoolClient): void {
  const { connection } = client as unknown as { readonly connection: { readonly stream: Socket } };
  connection.stream.destroy();
}

function naming(client: pg.PoolClient): PostgresPoolClient {
  // The second form is for streams, which need cursors that the dialect does not have.
  function query<R>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  function query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
  function query(text: unknown, values: readonly unknown[] = []): unknown {
    if (typeof text !== 'string') throw new Error('PostgreSQL is read without cursors.');
    const name = statementNames.get(text);
    return client
      .query(name === undefined ? { text, values: [...values] } : { name, text, values: [...values] })
      .catch((error: unknown) => {
        if (error instanceof Error && error.message === NO_ANSWER) destroySocket(client);
        throw error;
      });
  }
  return { query, release: () => client.release() };
}
