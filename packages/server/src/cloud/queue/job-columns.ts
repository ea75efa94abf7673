import { type Expression, type SqlBool, sql } from 'kysely';

import type { JobStatus } from '../../platform/db/schema/cloud.ts';
import { jobSourcesOf } from './job.state.ts';
import type { ChangedJob } from './job-queue.ts';

/** What has to be known of a job whose state has changed. */
export const CHANGED = [
  'seq',
  'id',
  'user_id',
  'status',
  'attempt',
  'webhook_url',
  'webhook_events',
  'error',
] as const;

export type ChangedRow = ChangedJob & { readonly seq: number };

/** What a job has that waits again. */
export const WAITING = { status: 'pending', runner: null, lease_until: null, started_at: null } as const;

/** The guard of a change. Literals, because an index with a condition serves no statement that has a parameter there. */
export function mayBecome(to: JobStatus): Expression<SqlBool> {
  return sql`status in (${sql.join(jobSourcesOf(to).map((from) => sql.lit(from)))})`;
}
