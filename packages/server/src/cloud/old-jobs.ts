import { type Db, withTransaction } from '../platform/db/database.ts';
import { deleteOld } from '../platform/db/delete-old.ts';
import { inRestedSlices } from '../platform/in-slices.ts';
import { shiftLine } from './queue/lines.repo.ts';

const KEY_MS = 24 * 3_600_000;
/** Each is deleted with its request, its results and five index entries: 1 to 3 ms on SQLite. */
export const JOB_BATCH_SIZE = 50;

interface Parts {
  readonly db: Db;
  readonly now: number;
  /** How long a job is kept after it has ended; 0 forever. */
  readonly keptMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** Deletes expired idempotency keys, and jobs that ended too long ago. */
export async function forgetOldJobs({ db, now, keptMs, signal }: Parts): Promise<void> {
  await deleteOld(db, 'job_keys', now - KEY_MS);
  if (keptMs === 0) return;
  await inRestedSlices(async () => {
    const old = await db
      .selectFrom('jobs')
      .select(['seq', 'user_id'])
      .where('ended_at', '<', now - keptMs)
      .orderBy('ended_at')
      .limit(JOB_BATCH_SIZE)
      .execute();
    for (const [userId, jobs] of Map.groupBy(old, (job) => job.user_id)) {
      await forgetJobsOf(
        db,
        userId,
        jobs.map(({ seq }) => seq),
      );
    }
    return old.length === JOB_BATCH_SIZE;
  }, signal);
}

async function forgetJobsOf(db: Db, userId: string, seqs: readonly number[]): Promise<void> {
  await withTransaction(db, async (tx) => {
    await shiftLine(tx, userId);
    const gone = await tx.deleteFrom('jobs').where('seq', 'in', seqs).returning('result_bytes').execute();
    const resultBytes = gone.reduce((sum, job) => sum - job.result_bytes, 0);
    if (resultBytes !== 0) await shiftLine(tx, userId, { resultBytes });
  });
}
