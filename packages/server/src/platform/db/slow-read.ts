import { type Compilable, type DialectAdapter, sql } from 'kysely';

import { databaseGone } from '../errors/outages.ts';
import { createFairSemaphore, type FairSemaphore } from '../fair-semaphore.ts';
import { type Db, withTransaction } from './database.ts';
import { SqliteFileAdapter } from './sqlite-dialect.ts';
import { THREADS } from './sqlite-readers.ts';

const TURN_MS = 30_000;
/**
 * Large tables are mostly in memory: a covering index is read in 30 ms, the rows of 250,000 jobs in 55. One parallel process
 * instead of two: on two cores lists take as long (42 and 43 ms), and `/health` beside four of them takes 16 ms instead of 24
 * (p99). None if an operator has turned them off.
 */
const forSlowReads = sql`select set_config('random_page_cost', '1.1', true), set_config('max_parallel_workers_per_gather',
  least(1, cast(current_setting('max_parallel_workers_per_gather') as integer))::text, true)`;
/** By the adapter, of which each database has one. */
const turnsAt = new WeakMap<DialectAdapter, FairSemaphore>();

/**
 * Runs a query that may scan many rows; 250,000 index entries take SQLite 15 ms. There it runs in a thread and sees only what is
 * committed. Accounts take turns, so that one does not occupy all threads or PostgreSQL connections. Not for queries that an index
 * and a limit keep short.
 */
export async function slowRead<Row>(db: Db, account: string, query: Compilable<Row>): Promise<Row[]> {
  const compiled = query.compile();
  if (db.isTransaction) return (await db.executeQuery(compiled)).rows;
  const { adapter } = db.getExecutor();
  const turns = turnsAt.getOrInsertComputed(adapter, () => createFairSemaphore(THREADS));
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
