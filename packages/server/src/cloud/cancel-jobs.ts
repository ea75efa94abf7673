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

/** The event id for a job that has not started. */
const FIRST_ID = '0-1';

interface Parts {
  readonly queue: JobQueue;
  readonly live: LiveJobs;
  readonly clock: Clock;
  /** Stops the attempt of this server, if it has one. */
  readonly stopRun: (jobId: string) => void;
  /** Publishes how a job ended that does not run here. */
  readonly tellEnd: (job: EndedJob, event: KeptEvent) => void;
  /** Publishes the end marker of such a job. */
  readonly tellEndMarker: (job: EndedJob) => void;
  readonly onStatus: (userId: string, counts: QueueCounts) => void;
  readonly onEnded: () => void;
}

/** Returns the ids that this call cancelled; `undefined` when one is not a job of the user. `note` runs in the transaction. */
export type CancelJobs = (
  userId: string,
  ids: readonly string[],
  note?: (tx: Db) => Promise<void>,
) => Promise<readonly string[] | undefined>;

/** Cancels jobs: first the rows, then the runner, then the watchers are told, once. */
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

/** For a job that has not started and so is at no node. */
function interruptionOf(jobId: string, timestamp: number): JobMessages['execution_interrupted'] {
  return { prompt_id: jobId, node_id: '', node_type: '', executed: [], timestamp };
}
