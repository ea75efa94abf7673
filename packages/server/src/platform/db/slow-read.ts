import { type Compilable, type DialectAdapter, sql } from 'kysely';

import { databaseGone } from '../errors/outages.ts';
import { createFairSemaphore, type FairSemaphore } from '../fair-semaphore.ts';
import { type Db, withTransaction } from './database.ts';
import { SqliteFileAdapter } from './sqlite-dialect.ts';
import { THREADS } from './sqlite-readers.ts';

const TURN_MS = 30_000;
/**
 * What is large is mostly in memory: an index with all that a list needs is read in 30 ms, the rows of 250 000 jobs in 55.
 * One process beside that of the connection, where PostgreSQL would start two: on two cores lists take as long (42 and 43 ms), and `/health` beside
 * four of them takes 16 ms instead of 24 (p99). None where an operator has turned them off.
 */
const forSlowReads = sql`select set_config('random_page_cost', '1.1', true), set_config('max_parallel_workers_per_gather',
  least(1, cast(current_setting('max_parallel_workers_per_gather') as integer))::text, true)`;
/** An adapter is one for each database. */
const turnsAt = new WeakMap<DialectAdapter, FairSemaphore>();

/**
 * Runs a query that may look at many rows, however few it returns; to pass 250 000 entries of an index takes SQLite 15 ms. There it runs
 * beside the event loop, and it sees what is committed. Accounts take turns, so that the lists of one leave threads, or connections to
 * PostgreSQL, to others. A query that an index and a limit keep short is faster without.
 */
export async function slowRead<Row>(db: Db, account: string, query: Compilable<Row>): Promise<Row[]> {
  const compiled = query.compile();
  if (db.isTransaction) return (await db.executeQuery(compiled)).rows;
  const { adapter } = db.getExecutor();
  const turns = turnsAt.get(adapter) ?? createFairSemaphore(THREADS);
  turnsAt.set(adapter, turns);
  const release = await turns.acquire(account, AbortSignal.timeout(TURN_MS)).catch((error: unknown) => {
    throw databaseGone(error);
  });
  try {
    if (adapter instanceof SqliteFileAdapter) {
      return (await adapter.readAside(compiled.sql, compiled.parameters)) as Row[];
    }
    return await withTransaction(db, async (tx) => {
      await forSlowReads.execute(tx);
      return (await tx.executeQuery(compiled)).rows;
    });
  } finally {
    release();
  }
}
