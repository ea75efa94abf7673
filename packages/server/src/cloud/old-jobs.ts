import type { Db } from '../platform/db/database.ts';
import { deleteJobKeysBefore } from './submit/job-keys.repo.ts';

const KEY_MS = 24 * 3_600_000;
const AT_ONCE = 200;

/** Deletes keys that nobody may repeat any more, and jobs that ended longer ago than they are kept; 0 keeps them for ever. */
export async function forgetOldJobs({
  db,
  now,
  keptMs,
}: {
  readonly db: Db;
  readonly now: number;
  readonly keptMs: number;
}) {
  await deleteJobKeysBefore(db, now - KEY_MS);
  if (keptMs === 0) return;
  for (;;) {
    const ids = await db
      .selectFrom('jobs')
      .select('id')
      .where('ended_at', '<', now - keptMs)
      .limit(AT_ONCE)
      .execute();
    if (ids.length === 0) return;
    await db
      .deleteFrom('jobs')
      .where(
        'id',
        'in',
        ids.map(({ id }) => id),
      )
      .execute();
  }
}
