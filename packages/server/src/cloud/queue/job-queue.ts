import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/db/database.ts';
import type { JobRow, JobStatus } from '../../platform/db/schema/cloud.ts';

/** What the steps of the queue have in common. */
export interface QueueParts {
  readonly db: Db;
  readonly clock: Clock;
  /** The id of this process; no other process, earlier or later, has it. */
  readonly runner: string;
  readonly leaseMs: number;
  /** Announces every change of a job with a webhook, except that it waits again, in the transaction that makes it. */
  readonly onChanged: (tx: Db, job: ChangedJob) => Promise<void>;
}

export interface QueueCounts {
  readonly waiting: number;
  readonly running: number;
}

/** A job to add. JSON values are already serialized. */
export interface NewJob {
  readonly id: string;
  readonly userId: string;
  readonly clientId: string | null;
  readonly workflowId: string | null;
  readonly workflowName: string | null;
  readonly tags: readonly string[];
  /** JSON from the Comfy API v2; empty if there is none. */
  readonly metadata: string;
  readonly webhookUrl: string | null;
  readonly webhookEvents: readonly string[] | null;
  readonly graph: string;
  readonly targets: string;
  readonly nodeOrder: string;
  readonly extraData: string;
  readonly partnerKey: Uint8Array | null;
  /** The key of its row in `job_needs`. */
  readonly needs: string | null;
  readonly maxRunning: number;
}

export interface AttemptId {
  readonly id: string;
  readonly attempt: number;
}

/** An attempt and the user whose job it is. */
export interface OwnAttempt extends AttemptId {
  readonly userId: string;
}

/** A job that this server may run until its lease ends. */
export interface ClaimedJob
  extends OwnAttempt,
    Pick<NewJob, 'graph' | 'targets' | 'nodeOrder' | 'extraData' | 'partnerKey' | 'needs'> {
  readonly seq: number;
  /** How often it was put back to make room for other accounts. */
  readonly putBacks: number;
  readonly hasWebhook: boolean;
  readonly createdAt: number;
  readonly counts: QueueCounts;
}

/** What happens to a job whose worker was lost. */
export interface Retry {
  readonly needs: string | null;
  /** Why it must not run again. */
  readonly giveUp?: string | undefined;
}

/** An account that could start a job, and since when. */
export interface WaitingLine {
  readonly userId: string;
  readonly since: number;
}

/** What job lists show of the outputs of a job without reading them. */
export interface OutputsDescription {
  readonly outputsCount: number;
  readonly previewableOutputsCount: number;
  /** JSON of the output that represents the job. */
  readonly previewOutput: string | null;
  /** The media kinds of the outputs, separated and surrounded by spaces: ` image video `. */
  readonly outputTypes: string;
}

/** How an attempt ended. JSON values are already serialized. */
export interface JobEnd extends OutputsDescription {
  readonly status: 'completed' | 'failed';
  readonly outputs: string;
  readonly meta: string;
  readonly events: string;
  /** When its nodes ran; `null` if unknown. */
  readonly timeline: string | null;
  readonly error: string | null;
}

export type ChangedJob = Pick<
  JobRow,
  'id' | 'user_id' | 'status' | 'attempt' | 'webhook_url' | 'webhook_events' | 'error'
>;

/** What is kept of a cancelled job: its messages and outputs so far. */
export type JobStory = Omit<JobEnd, 'status' | 'meta' | 'error'>;

/** A job that has just been ended by something other than its runner. */
export interface EndedJob extends OwnAttempt {
  readonly status: JobStatus;
  readonly counts: QueueCounts;
}

export interface Recovered {
  /** How many wait again. */
  readonly returned: number;
  readonly failed: readonly EndedJob[];
}
