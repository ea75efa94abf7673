import type { AdminJobPage, AdminJobQuery } from '@atelier/contracts';
import { present } from '@atelier/contracts/present';

import { type Audit, userSubject } from '../../platform/audit/audit.service.ts';
import { toIso } from '../../platform/clock.ts';
import type { Db } from '../../platform/db/database.ts';
import type { JobStatus } from '../../platform/db/schema/cloud.ts';
import { notFound } from '../../platform/errors/app-error.ts';
import { type Actor, requireAdmin } from '../../platform/http/actor.ts';
import type { CancelJobs } from '../cancel-jobs.ts';
import { type FindPeople, findEmails } from '../people.ts';
import { findOwner, listJobsOfAll } from './admin-jobs.repo.ts';

export interface AdminJobsParts {
  readonly db: Db;
  readonly audit: Pick<Audit, 'add'>;
  readonly cancel: CancelJobs;
  readonly findPeople: FindPeople;
}

export type AdminJobsService = ReturnType<typeof createAdminJobsService>;

export function createAdminJobsService({ db, audit, cancel, findPeople }: AdminJobsParts) {
  return {
    async list(actor: Actor, { user_id, status, before, limit }: AdminJobQuery): Promise<AdminJobPage> {
      requireAdmin(actor);
      const rows = await listJobsOfAll(db, actor.userId, {
        userId: user_id,
        statuses: status?.split(',') as JobStatus[] | undefined,
        beforeSeq: before,
        limit,
      });
      const userIds = rows.map((row) => row.user_id);
      const emails = await findEmails(findPeople, userIds);
      const last = rows.at(-1);
      return {
        jobs: rows.map((row) => ({
          id: row.id,
          number: row.seq,
          user: { id: row.user_id, ...present({ email: emails.get(row.user_id) }) },
          status: row.status,
          created_at: toIso(row.created_at),
          attempt: row.attempt,
          ...present({
            started_at: row.started_at === null ? null : toIso(row.started_at),
            ended_at: row.ended_at === null ? null : toIso(row.ended_at),
            runner: row.status === 'in_progress' ? row.runner : null,
            error_message: row.error === null ? null : messageIn(row.error),
          }),
        })),
        ...(last && rows.length === limit ? { next_before: last.seq } : {}),
      };
    },

    /** False when the job had already ended. */
    async cancel(actor: Actor, jobId: string): Promise<boolean> {
      const owner = await findOwner(db, jobId);
      if (owner === undefined) throw notFound('job', jobId);
      requireAdmin(actor);
      const subject = `${userSubject(owner)}/job:${jobId}`;
      const note = async (tx: Db) => await audit.add(tx, actor, 'job.cancel', subject);
      return ((await cancel(owner, [jobId], note)) ?? []).length > 0;
    },
  };
}

/** Reads the stored data of `execution_error`. */
function messageIn(error: string): string {
  const { exception_message: message } = JSON.parse(error) as { exception_message?: string };
  return (message ?? '').trim();
}
