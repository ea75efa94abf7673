import { randomUUID } from 'node:crypto';
import type { Insertable } from 'kysely';

import type { Db } from '../../../platform/db/database.ts';
import type { JobRow } from '../../../platform/db/schema/cloud.ts';
import { hasEnded } from '../job-states.ts';

interface Texts {
  readonly graph?: string;
  readonly targets?: string;
  readonly extraData?: string;
  readonly outputs?: string;
  readonly meta?: string;
  readonly events?: string;
}

type Columns = Partial<Insertable<JobRow>> & { readonly user_id: string };

/** A job with its request and, once it has ended, its result; completed unless told otherwise. */
export async function aJob(
  db: Db,
  columns: Columns,
  texts: Texts = {},
): Promise<{ readonly id: string; readonly seq: number }> {
  const id = columns.id ?? randomUUID();
  const status = columns.status ?? 'completed';
  const { seq } = await db
    .insertInto('jobs')
    .values({
      ...newRow(id, columns.user_id),
      ...(status !== 'pending' && { started_at: 2000, attempt: 1 }),
      ...(hasEnded({ status }) && { ended_at: 3000, execution_ms: 1000 }),
      ...columns,
    })
    .returning('seq')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('job_requests')
    .values({
      job_seq: seq,
      graph: texts.graph ?? '{"9":{"class_type":"SaveImage","inputs":{}}}',
      targets: texts.targets ?? '["9"]',
      node_order: '["9"]',
      extra_data: texts.extraData ?? '{"create_time":1000}',
      partner_key: null,
    })
    .execute();
  if (hasEnded({ status })) {
    const { outputs = '{}', meta = '{}', events = '[]' } = texts;
    await db.insertInto('job_results').values({ job_seq: seq, outputs, meta, events }).execute();
  }
  return { id, seq };
}

function newRow(id: string, userId: string): Insertable<JobRow> {
  return {
    id,
    user_id: userId,
    status: 'completed',
    created_at: 1000,
    updated_at: 3000,
    started_at: null,
    ended_at: null,
    execution_ms: null,
    attempt: 0,
    runner: null,
    lease_until: null,
    client_id: null,
    workflow_id: null,
    webhook_url: null,
    webhook_events: null,
    error: null,
    outputs_count: 0,
    previewable_outputs_count: 0,
    preview_output: null,
    output_types: '',
    hidden: 0,
  };
}
