import { sql } from 'kysely';

import { type Db, engineOf } from './database.ts';

/** Any number that no other program on the same database is likely to use. */
const START_LOCK = 7_283_105_116;

/**
 * Until the transaction ends, no other server on this database is past this point.
 * On SQLite the transaction itself keeps everybody else from writing.
 */
export async function lockForStart(tx: Db): Promise<void> {
  if (engineOf(tx) === 'postgres') await sql`select pg_advisory_xact_lock(${START_LOCK}::bigint)`.execute(tx);
}
