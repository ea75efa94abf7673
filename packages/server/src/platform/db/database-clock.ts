import { sql } from 'kysely';

import { type Clock, systemClock } from '../clock.ts';
import { repeatEvery } from '../repeat-every.ts';
import { type Db, engineOf } from './database.ts';

const LOOK_MS = 10_000;
/** Less is what clocks that are kept right differ by, and what a busy machine adds to the answer. */
const TOLERATED_MS = 500;

interface Parts {
  /** How this machine's time is read. */
  readonly clock?: Clock;
  /** The difference was found to be another one; 0 when the clocks agree. */
  readonly onSkew: (aheadMs: number) => void;
  readonly onError: (error: unknown) => void;
}

/**
 * The time that all servers of one PostgreSQL agree on: its own. Leases are times in rows, so a server whose clock is half a minute
 * ahead would take every running job for lost, and one that is behind would lose its own. SQLite has one server, whose clock is right.
 */
export async function openDatabaseClock(db: Db, { clock = systemClock, onSkew, onError }: Parts) {
  if (engineOf(db) === 'sqlite') return { clock, close: async (): Promise<void> => {} };
  let ahead = 0;

  async function look(): Promise<void> {
    const before = clock();
    const { rows } = await sql<{
      now: number;
    }>`select (extract(epoch from clock_timestamp()) * 1000)::bigint as now`.execute(db);
    const after = clock();
    const found = (before + after) / 2 - (rows[0]?.now ?? 0);
    // The answer may have come late by half of the time it took.
    if (Math.abs(found - ahead) <= TOLERATED_MS + (after - before) / 2) return;
    ahead = Math.abs(found) <= TOLERATED_MS ? 0 : Math.round(found);
    onSkew(ahead);
  }

  await look();
  return { clock: () => clock() - ahead, close: repeatEvery(LOOK_MS, look, onError) };
}
