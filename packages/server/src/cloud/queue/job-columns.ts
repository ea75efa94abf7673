import { type Expression, type SqlBool, sql } from 'kysely';

import type { Engine } from '../../platform/db/database.ts';
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
export const WAITING = {
  status: 'pending',
  runner: null,
  worker: null,
  lease_until: null,
  started_at: null,
} as const;

/** `unable` is a JSON list: the needs that no worker of this server can meet now. */
export function canRun(unable: string, engine: Engine): Expression<SqlBool> {
  const values =
    engine === 'sqlite'
      ? sql`select value from json_each(${unable})`
      : sql`select jsonb_array_elements_text(cast(${unable} as jsonb))`;
  return sql`(needs is null or needs not in (${values}))`;
}

/** The guard of a change. Literals, because an index with a condition serves no statement that has a parameter there. */
export function mayBecome(to: JobStatus): Expression<SqlBool> {
  return sql`status in (${sql.join(jobSourcesOf(to).map((from) => sql.lit(from)))})`;
}
