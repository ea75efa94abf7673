import type { JobMessages } from '@atelier/contracts';
import { toJson } from '@atelier/engine';

import type { Clock } from '../platform/clock.ts';
import type { Db } from '../platform/db/database.ts';
import { keptEventsJson } from './events/kept-events-json.ts';
import type { KeptEvent, LiveJobs } from './events/live-jobs.ts';
import type { JobQueue } from './queue/create-job-queue.ts';
import type { EndedJob, QueueCounts } from './queue/job-queue.ts';
import { describeOutputs } from './runs/describe-outputs.ts';

type EngineMessage = {
  readonly type: 'execution_interrupted';
  readonly data: JobMessages['execution_interrupted'];
};

/** Of a job that nobody has begun. */
const FIRST_ID = '0-1';

interface Parts {
  readonly queue: JobQueue;
  readonly live: LiveJobs;
  readonly clock: Clock;
  /** Ends the attempt that this server makes, if it makes one. */
  readonly stopRun: (jobId: string) => void;
  /** Says how a job ended that does not run here. */
  readonly tellEnd: (job: EndedJob, event: KeptEvent) => void;
  /** The end marker of such a job. */
  readonly tellEndMarker: (job: EndedJob) => void;
  readonly onStatus: (userId: string, counts: QueueCounts) => void;
  readonly onEnded: () => void;
}

/** The ids that this call cancelled; `undefined` when one of them is not a job of the user. `note` is part of the transaction. */
export type CancelJobs = (
  userId: string,
  ids: readonly string[],
  note?: (tx: Db) => Promise<void>,
) => Promise<readonly string[] | undefined>;

/** Cancels jobs: the rows first, then whoever works on them, then the watchers hear of it, once. */
export function createCancelJobs(parts: Parts): CancelJobs {
  const { queue, live, clock } = parts;
  return async (userId, ids, note) => {
    const now = clock();
    const messages = new Map<string, EngineMessage>();
    const storyOf = (id: string) => {
      const running = live.get(id);
      const data = running?.interruption(now) ?? interruptionOf(id, now);
      const message: EngineMessage = { type: 'execution_interrupted', data };
      messages.set(id, message);
      const outputs = running?.outputs() ?? {};
      return {
        events: keptEventsJson(running ? running.keptWith(message) : [{ id: FIRST_ID, ...message }]),
        outputs: toJson(outputs),
        ...describeOutputs(outputs),
        timeline: running ? JSON.stringify(running.timeline()) : null,
      };
    };
    const ended = await queue.cancel(userId, ids, storyOf, note);
    for (const job of ended ?? []) {
      const message = messages.get(job.id);
      if (!message) throw new Error(`Job ${job.id} was cancelled without its messages.`);
      const running = live.get(job.id);
      parts.stopRun(job.id);
      if (running) running.tell(message);
      else parts.tellEnd(job, { id: FIRST_ID, ...message });
      parts.onStatus(userId, job.counts);
      if (running) running.end();
      else parts.tellEndMarker(job);
    }
    if (ended && ended.length > 0) parts.onEnded();
    return ended?.map(({ id }) => id);
  };
}

/** A job that has not begun was at no node. */
function interruptionOf(jobId: string, timestamp: number): JobMessages['execution_interrupted'] {
  return { prompt_id: jobId, node_id: '', node_type: '', executed: [], timestamp };
}
