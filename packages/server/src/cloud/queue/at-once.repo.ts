import { sql } from 'kysely';

import type { Db } from '../../platform/db/database.ts';
import { prepareQuery } from '../../platform/db/prepared-query.ts';
import { mayBecome } from './job-columns.ts';
import type { JobEnd, QueueCounts } from './job-queue.ts';
import type { Attempt, StartedJob } from './jobs.repo.ts';
import { behindAll, MAY_START } from './lines.repo.ts';

/*
 * PostgreSQL does in one statement what otherwise takes a transaction of four or five: the commonest claim and end, of a
 * job without a webhook and in nobody's way. They lock in the same order and have the same guards. When one does nothing,
 * the transaction decides.
 */

interface Start {
  readonly runner: string;
  readonly now: number;
  readonly leaseUntil: number;
}

const claim = prepareQuery((db, { runner, now, leaseUntil }: Start) => ({
  compile: () =>
    sql<StartedJob & QueueCounts>`with line as (
      select user_id from job_queues where ${MAY_START}
      order by last_started, user_id limit 1 for update skip locked
    ), next as (
      select job.seq from line, lateral (
        select seq, webhook_url from jobs
        where jobs.user_id = line.user_id and ${mayBecome('in_progress')}
        order by seq limit 1 for update
      ) as job where job.webhook_url is null
    ), started as (
      update jobs set status = 'in_progress', attempt = attempt + 1, runner = ${runner},
        lease_until = cast(${leaseUntil} as bigint), started_at = cast(${now} as bigint), updated_at = cast(${now} as bigint)
      from next where jobs.seq = next.seq
      returning jobs.id, jobs.user_id, jobs.seq, jobs.attempt, jobs.put_backs, jobs.created_at
    ), counted as (
      update job_queues set waiting = waiting - 1, running = running + 1, last_started = ${behindAll(now)}
      from started where job_queues.user_id = started.user_id
      returning waiting, running
    )
    select started.*, counted.*, graph, targets, node_order, extra_data, partner_key
    from started, counted, job_requests where job_seq = started.seq`.compile(db),
}));

export async function claimAtOnce(db: Db, to: Start): Promise<(StartedJob & QueueCounts) | undefined> {
  return (await claim(db, to))[0];
}

type Results = Omit<JobEnd, 'status'>;
type Ended = Attempt & { readonly now: number; readonly resultBytes: number };

const endAs = (status: JobEnd['status']) =>
  prepareQuery((db, end: Ended & Results) => ({
    compile: () =>
      sql<QueueCounts>`with line as (
        select user_id from job_queues where user_id = ${end.userId} for update
      ), ended as (
        update jobs set status = ${sql.lit(status)}, updated_at = cast(${end.now} as bigint),
          ended_at = cast(${end.now} as bigint), execution_ms = cast(${end.now} as bigint) - started_at,
          lease_until = null, error = ${end.error}, outputs_count = ${end.outputsCount},
          previewable_outputs_count = ${end.previewableOutputsCount}, preview_output = ${end.previewOutput},
          output_types = ${end.outputTypes}, result_bytes = cast(${end.resultBytes} as bigint)
        from line
        where jobs.user_id = line.user_id and id = ${end.id} and runner = ${end.runner} and attempt = ${end.attempt}
          and ${mayBecome(status)} and webhook_url is null
        returning jobs.seq, jobs.user_id
      ), kept as (
        insert into job_results (job_seq, outputs, meta, events)
        select seq, ${end.outputs}, ${end.meta}, ${end.events} from ended
      ), forgotten as (
        update job_requests set partner_key = null
        from ended where job_seq = ended.seq and partner_key is not null
      )
      update job_queues set running = running - 1, result_bytes = result_bytes + cast(${end.resultBytes} as bigint)
      from ended where job_queues.user_id = ended.user_id
      returning waiting, running`.compile(db),
  }));

const END = { completed: endAs('completed'), failed: endAs('failed') };

export async function endAtOnce(
  db: Db,
  attempt: Ended,
  { status, ...results }: JobEnd,
): Promise<QueueCounts | undefined> {
  return (await END[status](db, { ...attempt, ...results }))[0];
}
