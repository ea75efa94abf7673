import { type Clock, toIso } from '../platform/clock.ts';
import type { Db } from '../platform/db/database.ts';
import { findJobEnd } from './job-ends.repo.ts';
import { rawObject } from './jobs/job-json.ts';
import type { ChangedJob } from './queue/job-queue.ts';

/** Queues a delivery, in the transaction that changes its subject. */
export interface Enqueue {
  (
    tx: Db,
    delivery: {
      readonly userId: string;
      readonly url: string;
      readonly subject: string;
      readonly type: string;
      readonly body: string;
    },
  ): Promise<void>;
}

/** Notifies the webhook of a job of its new state, if it asked for that state. */
export function createJobWebhooks({ enqueue, clock }: { readonly enqueue: Enqueue; readonly clock: Clock }) {
  return async (tx: Db, job: ChangedJob): Promise<void> => {
    const wanted: unknown = JSON.parse(job.webhook_events ?? '[]');
    if (job.webhook_url === null || !Array.isArray(wanted) || !wanted.includes(job.status)) return;
    const end = await findJobEnd(tx, job.user_id, job.id);
    const type = `job.${job.status}`;
    const body = rawObject({
      type: JSON.stringify(type),
      timestamp: JSON.stringify(toIso(clock())),
      prompt_id: JSON.stringify(job.id),
      status: JSON.stringify(job.status),
      outputs: end?.outputs ?? undefined,
      execution_error: job.error ?? undefined,
    });
    await enqueue(tx, { userId: job.user_id, url: job.webhook_url, subject: `job:${job.id}`, type, body });
  };
}
