import { type Expression, type SqlBool, sql } from 'kysely';

import type { Engine } from '../../platform/db/database.ts';
import type { JobStatus } from '../../platform/db/schema/cloud.ts';
import { jobSourcesOf } from './job.state.ts';
import type { ChangedJob } from './job-queue.ts';

/** The columns to return when the state of a job changes. */
export const CHANGED = [
  'seq',
  'id',
  'user_id',
  'status',
  'attempt',
  'webhook_url',
  'webhook_events',
  'error',
] as const satisfies readonly (keyof ChangedRow)[];

export type ChangedRow = ChangedJob & { readonly seq: number };

/** The columns of a job that goes back to waiting. */
export const WAITING = {
  status: 'pending',
  runner: null,
  worker: null,
  lease_until: null,
  started_at: null,
} as const;

/** `unable` is a JSON list of the needs that no worker of this server can meet now. */
export function canRun(unable: string, engine: Engine): Expression<SqlBool> {
  const values =
    engine === 'sqlite'
      ? sql`select value from json_each(${unable})`
      : sql`select jsonb_array_elements_text(cast(${unable} as jsonb))`;
  return sql`(needs is null or needs not in (${values}))`;
}

/** The guard of a transition. It uses literals, because a partial index does not serve a statement with a parameter there. */
export function mayBecome(to: JobStatus): Expression<SqlBool> {
  return sql`status in (${sql.join(jobSourcesOf(to).map((from) => sql.lit(from)))})`;
}
