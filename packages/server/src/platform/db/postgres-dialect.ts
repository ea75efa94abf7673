import { type Dialect, PostgresDialect } from 'kysely';
import pg from 'pg';

import type { Secret } from '../secret.ts';

const INT8 = 20;

interface PostgresOptions {
  readonly url: Secret;
  readonly poolSize: number;
  /** Ends a statement that runs longer. Migrations wait for each other without this bound. */
  readonly statementMs?: number;
  readonly onIdleError: (error: Error) => void;
}

export function createPostgresDialect({ url, poolSize, statementMs, onIdleError }: PostgresOptions): Dialect {
  const pool = new pg.Pool({
    connectionString: url.reveal(),
    max: poolSize,
    connectionTimeoutMillis: 5000,
    application_name: 'atelier',
    ...(statementMs === undefined
      ? {}
      : { statement_timeout: statementMs, idle_in_transaction_session_timeout: statementMs }),
    types: {
      // Times and counters are 64-bit in the database and stay below 2^53 here.
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        oid === INT8 ? Number : pg.types.getTypeParser(oid, format),
    },
  });
  // An idle connection that breaks (a restarted PostgreSQL) would otherwise be an uncaught exception.
  pool.on('error', onIdleError);
  return new PostgresDialect({ pool });
}
