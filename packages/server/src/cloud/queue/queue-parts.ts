import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/db/database.ts';
import type { ChangedJob } from './job-queue.ts';

/** What the steps of the queue have in common. */
export interface QueueParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly runner: string;
  readonly leaseMs: number;
  /** Tells the webhook of a job, if it has one. */
  readonly changed: (tx: Db, job: ChangedJob) => Promise<void>;
}
