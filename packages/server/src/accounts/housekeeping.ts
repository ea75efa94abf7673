import type { Clock } from '../platform/clock.ts';
import type { Db } from '../platform/db/database.ts';
import { deleteExpiredSessions } from './sessions.repo.ts';
import { FAILURE_WINDOW_MS } from './sign-in.service.ts';
import { deleteFailuresBefore } from './sign-in-failures.repo.ts';
import type { SigningKeys } from './signing-keys.ts';

/** What time makes worthless goes: ended sessions, old failures, keys whose tokens have all expired. */
export async function keepAccountsTidy({
  db,
  clock,
  keys,
}: {
  db: Db;
  clock: Clock;
  keys: SigningKeys;
}): Promise<void> {
  const now = clock();
  await deleteExpiredSessions(db, now);
  await deleteFailuresBefore(db, now - FAILURE_WINDOW_MS);
  await keys.maintain();
}
