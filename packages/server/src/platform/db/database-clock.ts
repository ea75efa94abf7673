import { sql } from 'kysely';

import { type Clock, systemClock } from '../clock.ts';
import { repeatEvery } from '../repeat-every.ts';
import { type Db, engineOf } from './database.ts';

const LOOK_MS = 10_000;
/** Synchronized clocks differ by less, and a busy machine delays the answer by less. */
const TOLERATED_MS = 500;

interface Parts {
  /** The clock of this machine. */
  readonly clock?: Clock;
  /** Called when the difference has changed; 0 when the clocks agree. */
  readonly onSkew: (aheadMs: number) => void;
  readonly onError: (error: unknown) => void;
}

/**
 * The time of PostgreSQL, for all its servers. Leases are times in rows, so a server whose clock is ahead would consider running
 * jobs lost, and one that is behind would lose its own. SQLite has one server and needs no other clock.
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
    // The middle of the request is off by at most half of its duration.
    if (Math.abs(found - ahead) <= TOLERATED_MS + (after - before) / 2) return;
    ahead = Math.abs(found) <= TOLERATED_MS ? 0 : Math.round(found);
    onSkew(ahead);
  }

  await look();
  return { clock: () => clock() - ahead, close: repeatEvery(LOOK_MS, look, onError) };
}
