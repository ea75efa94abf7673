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
/** PostgreSQL ends statements itself and says so. When it says nothing for this much longer, the connection leads nowhere. */
const ANSWER_MARGIN_MS = 5000;

const statementNames = new Map<string, string>();

/** From now on PostgreSQL keeps this statement parsed and planned, once for each connection. Only for texts that are few. */
export function nameStatement(text: string): void {
  if (!statementNames.has(text)) statementNames.set(text, `atelier_${statementNames.size}`);
}

interface PostgresOptions {
  readonly url: Secret;
  readonly poolSize: number;
  /** Ends a statement that runs longer. Migrations wait for each other without this bound. */
  readonly statementMs?: number;
  /** A connection broke, whether it was in use or not. */
  readonly onLost: (error: Error) => void;
}

export function createPostgresDialect({ url, poolSize, statementMs, onLost }: PostgresOptions): Dialect {
  const pool = new pg.Pool({
    connectionString: url.reveal(),
    max: poolSize,
    connectionTimeoutMillis: 5000,
    application_name: 'atelier',
    ...(statementMs === undefined
      ? {}
      : {
          statement_timeout: statementMs,
          idle_in_transaction_session_timeout: statementMs,
          query_timeout: statementMs + ANSWER_MARGIN_MS,
        }),
    // An idle connection through a firewall that has forgotten it is found before a statement needs it.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    types: {
      // Times and counters are 64-bit in the database and stay below 2^53 here.
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        oid === INT8 ? Number : pg.types.getTypeParser(oid, format),
    },
  });
  // A connection that breaks (a restarted PostgreSQL) says so once more than the statement it was running. Without listeners that would
  // be an uncaught exception: of the connection while it is in use, of the pool while it is idle.
  pool.on('connect', (client) => client.on('error', onLost));
  pool.on('error', () => {});
  return new PostgresDialect({ pool: nameStatements(pool) });
}

/** Kysely sends every statement without a name; those that are prepared get theirs here. */
function nameStatements(pool: pg.Pool): PostgresPool {
  // Kysely knows a connection again by its client.
  const clients = new WeakMap<pg.PoolClient, PostgresPoolClient>();
  return {
    connect: async () => {
      const client = await pool.connect();
      const known = clients.get(client) ?? naming(client);
      clients.set(client, known);
      return known;
    },
    end: async () => await pool.end(),
  };
}

/** Says the driver when its `query_timeout` is over. It would go on waiting for the answer before it sends the next statement. */
const NO_ANSWER = 'Query read timeout';

function breakOff(client: pg.PoolClient): void {
  const { connection } = client as unknown as { readonly connection: { readonly stream: Socket } };
  connection.stream.destroy();
}

function naming(client: pg.PoolClient): PostgresPoolClient {
  // The second form is for streams, and the dialect is given no cursors.
  function query<R>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  function query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
  function query(text: unknown, values: readonly unknown[] = []): unknown {
    if (typeof text !== 'string') throw new Error('PostgreSQL is read without cursors.');
    const name = statementNames.get(text);
    return client
      .query(name === undefined ? { text, values: [...values] } : { name, text, values: [...values] })
      .catch((error: unknown) => {
        if (error instanceof Error && error.message === NO_ANSWER) breakOff(client);
        throw error;
      });
  }
  return { query, release: () => client.release() };
}
