import { prepareQuery } from '../platform/db/prepared-query.ts';

/** Nothing once the job has ended: its key is gone then. */
export const findPartnerKey = prepareQuery((db, { jobId }: { jobId: string }) =>
  db
    .selectFrom('jobs')
    .innerJoin('job_requests', 'job_requests.job_seq', 'jobs.seq')
    .select(['jobs.user_id', 'job_requests.partner_key'])
    .where('jobs.id', '=', jobId)
    .where('job_requests.partner_key', 'is not', null),
);
