import { randomUUID } from 'node:crypto';
import type { Insertable } from 'kysely';

import type { Db } from '../../../platform/db/database.ts';
import type { JobRow } from '../../../platform/db/schema/cloud.ts';
import { filterHashes } from '../../filter-hashes.ts';
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

/** A job with its place in the line, its request and, once it has ended, its result; completed unless told otherwise. */
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
      ...filterHashesOf(columns),
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
    await db
      .insertInto('job_results')
      .values({ job_seq: seq, outputs, meta, events, timeline: null })
      .execute();
  }
  const [waiting, running] = [Number(status === 'pending'), Number(status === 'in_progress')];
  await db
    .insertInto('job_queues')
    .values({ user_id: columns.user_id, waiting, running, max_running: 3, last_started: 0 })
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet((eb) => ({
        waiting: eb('job_queues.waiting', '+', waiting),
        running: eb('job_queues.running', '+', running),
        list_revision: eb('job_queues.list_revision', '+', 1),
      })),
    )
    .execute();
  return { id, seq };
}

const BATCH_SIZE = 100;

/** Jobs of one user in all states, without requests and results: some hidden, many of equal duration, a few of a workflow, some with tags. */
export async function manyJobs(db: Db, userId: string, count: number) {
  const rows = Array.from({ length: count }, (_each, n): Insertable<JobRow> => {
    const labels = {
      tags: n % 5 === 0 ? ',night,day,' : n % 2 === 0 ? ',night,' : '',
      metadata: n % 4 === 0 ? '{"a":"b"}' : '',
    };
    const status =
      n % 97 === 0 ? 'pending' : n % 7 === 0 ? 'failed' : n % 11 === 0 ? 'cancelled' : 'completed';
    return {
      ...newRow(randomUUID(), userId),
      status,
      ...(status !== 'pending' && { ended_at: 3000 + n, execution_ms: (n * 7919) % 50 }),
      workflow_id: n % 400 === 0 ? 'rare' : 'usual',
      workflow_name: n % 3 === 0 ? 'Day' : null,
      ...labels,
      ...filterHashesOf(labels),
      output_types: n % 300 === 0 ? ' image video ' : ' image ',
      hidden: n % 13 === 0 && status !== 'pending' ? 1 : 0,
    };
  });
  for (let at = 0; at < count; at += BATCH_SIZE) {
    await db
      .insertInto('jobs')
      .values(rows.slice(at, at + BATCH_SIZE))
      .execute();
  }
  return await db.selectFrom('jobs').selectAll().where('user_id', '=', userId).orderBy('seq').execute();
}

function filterHashesOf({ tags = '', metadata = '' }: Pick<Insertable<JobRow>, 'tags' | 'metadata'>) {
  return { filter_hashes: filterHashes(tags === '' ? [] : tags.slice(1, -1).split(','), metadata) };
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
