import type { Db } from '../platform/db/database.ts';
import { prepareQuery } from '../platform/db/prepared-query.ts';

/** Finds nothing once the job has ended, because its key is deleted then. */
export const findPartnerKey = prepareQuery((db, { jobId }: { jobId: string }) =>
  db
    .selectFrom('jobs')
    .innerJoin('job_requests', 'job_requests.job_seq', 'jobs.seq')
    .select(['jobs.user_id', 'job_requests.partner_key'])
    .where('jobs.id', '=', jobId)
    .where('job_requests.partner_key', 'is not', null),
);

/** Open jobs of all users with a key, in the order of `seq`. */
export async function listSealedAfter(db: Db, seq: number, limit: number) {
  return await db
    .selectFrom('job_requests')
    .innerJoin('jobs', 'jobs.seq', 'job_requests.job_seq')
    .select(['jobs.seq', 'jobs.id', 'job_requests.partner_key'])
    .where('job_requests.partner_key', 'is not', null)
    .where('jobs.seq', '>', seq)
    .orderBy('jobs.seq')
    .limit(limit)
    .execute();
}

export async function setSealed(tx: Db, seq: number, sealed: Uint8Array): Promise<void> {
  await tx.updateTable('job_requests').set({ partner_key: sealed }).where('job_seq', '=', seq).execute();
}
