import type { Db } from '../../platform/db/database.ts';
import type { JobRow, JobStatus } from '../../platform/db/schema/cloud.ts';

/** How many jobs of a user wait and run. */
export interface QueueCounts {
  readonly waiting: number;
  readonly running: number;
}

/** A job to be accepted. What is JSON is text already. */
export interface NewJob {
  readonly id: string;
  readonly userId: string;
  readonly clientId: string | null;
  readonly workflowId: string | null;
  readonly workflowName: string | null;
  readonly tags: readonly string[];
  /** Of the Comfy API v2, as JSON; empty for none. */
  readonly metadata: string;
  readonly webhookUrl: string | null;
  readonly webhookEvents: readonly string[] | null;
  readonly graph: string;
  readonly targets: string;
  readonly nodeOrder: string;
  readonly extraData: string;
  readonly partnerKey: Uint8Array | null;
  /** The key of what its worker must have. */
  readonly needs: string | null;
  /** How many jobs the user may run at once, as of now. */
  readonly maxRunning: number;
}

export interface AttemptId {
  /** Of the job. */
  readonly id: string;
  readonly attempt: number;
}

/** A job that this server may run until its lease ends. */
export interface ClaimedJob {
  readonly id: string;
  readonly userId: string;
  readonly seq: number;
  readonly attempt: number;
  /** How often it was put back to make room for other accounts. */
  readonly putBacks: number;
  readonly hasWebhook: boolean;
  readonly createdAt: number;
  readonly graph: string;
  readonly targets: string;
  readonly nodeOrder: string;
  readonly extraData: string;
  readonly partnerKey: Uint8Array | null;
  readonly needs: string | null;
  readonly counts: QueueCounts;
}

/** How a job whose worker was lost goes on. */
export interface Retry {
  readonly needs: string | null;
  /** Why it may not run again, if so. */
  readonly giveUp?: string | undefined;
}

/** An account whose turn it would be, and since when. */
export interface WaitingLine {
  readonly userId: string;
  readonly since: number;
}

/** What lists tell of a job's outputs without having them. */
export interface OutputsDescription {
  readonly outputsCount: number;
  readonly previewableOutputsCount: number;
  /** JSON of the output that stands for the job. */
  readonly previewOutput: string | null;
  /** Kinds of media among the outputs, each between blanks: ` image video `. */
  readonly outputTypes: string;
}

/** How an attempt ended. What is JSON is text already. */
export interface JobEnd extends OutputsDescription {
  readonly status: 'completed' | 'failed';
  readonly outputs: string;
  readonly meta: string;
  readonly events: string;
  /** When its nodes ran; `null` when it is not known. */
  readonly timeline: string | null;
  readonly error: string | null;
}

/** A job that has just changed its state, told inside of the transaction that changes it. */
export type ChangedJob = Pick<
  JobRow,
  'id' | 'user_id' | 'status' | 'attempt' | 'webhook_url' | 'webhook_events' | 'error'
>;

/** What is kept of a job that is cancelled: messages and outputs so far. */
export type JobStory = Omit<JobEnd, 'status' | 'meta' | 'error'>;

/** A job that has just ended by other means than its runner. */
export interface EndedJob {
  readonly id: string;
  readonly userId: string;
  readonly attempt: number;
  readonly status: JobStatus;
  readonly counts: QueueCounts;
}

/** What became of the jobs of lost runners. */
export interface Recovered {
  /** How many wait again. */
  readonly returned: number;
  readonly failed: readonly EndedJob[];
}

/**
 * The durable queue. First in first out for each user, fair between users, never more running than allowed. Every change
 * locks the user's line first, then the job; so the counts are exact and the change is legal or does not happen.
 */
export interface JobQueue {
  /**
   * Accepts a job, for good once this resolves; or within the caller's transaction, which an error must undo. Refuses with `cloud.queue_limit` when 100 wait, and with `cloud.job_exists`
   * when the id is taken.
   */
  add(db: Db, job: NewJob): Promise<{ readonly seq: number; readonly counts: QueueCounts }>;
  /** Whether a job waits that may run. */
  mayClaim(): Promise<boolean>;
  /** Takes the next job that may run, or `undefined`. Jobs with the needs `unable` are passed over. */
  claim(unable?: readonly string[]): Promise<ClaimedJob | undefined>;
  /** Makes an attempt this server's own that another server has begun. `undefined` when it does not run any more. */
  adopt(id: string, attempt: number): Promise<ClaimedJob | undefined>;
  /**
   * Lengthens the leases of what runs here; returns the ids of those that are still this server's own. Only this is renewed: a job whose claim or end
   * was lost on the way to or from the database, or whose worker left while it was adopted, would otherwise be this server's forever.
   */
  renew(running: readonly AttemptId[]): Promise<ReadonlySet<string>>;
  /** Whether nobody else can have this job yet, by this server's clock. Always while it runs where there is one server. */
  holds(job: AttemptId): boolean;
  /** Ends an attempt; a second time is as the first. `undefined` when it is not this server's any more: cancelled, or given to another runner. */
  finish(
    job: { readonly id: string; readonly userId: string; readonly attempt: number },
    end: JobEnd,
  ): Promise<QueueCounts | undefined>;
  /**
   * Gives a job back that this server does not run to its end: it stops, or `makesRoom` for other accounts, behind which the line then goes. Neither
   * counts as a lost attempt. False when the attempt is not this server's any more.
   */
  giveBack(
    job: { readonly id: string; readonly userId: string; readonly attempt: number },
    options?: { readonly makesRoom?: boolean },
  ): Promise<boolean>;
  /**
   * Returns a job whose worker was lost to the queue at once, or fails it after the third try. Nothing happens when the attempt is not this server's any
   * more.
   */
  lose(job: AttemptId, retry: Retry): Promise<Recovered>;
  /** Notes at which worker of another machine an attempt runs: it may go on there when this server is gone. */
  runsAt(job: AttemptId, worker: string): Promise<void>;
  /** Accounts with a job that may begin, the next turn first. Jobs with the needs `unable` do not count. */
  listWaiting(limit: number, unable?: readonly string[]): Promise<readonly WaitingLine[]>;
  /**
   * Cancels those of the user's jobs that have not ended, in one transaction. `undefined` when one of them is unknown or
   * somebody else's: then nothing is cancelled. `storyOf` gives what is kept of a job that runs here; `note` is part of the transaction.
   */
  cancel(
    userId: string,
    ids: readonly string[],
    storyOf: (id: string) => JobStory,
    note?: (tx: Db) => Promise<void>,
  ): Promise<readonly EndedJob[] | undefined>;
  /**
   * Renews what runs here, then returns jobs of lost runners to the queue, or fails them after the third try; says which ended and whether any waits
   * again.
   */
  recover(running: readonly AttemptId[]): Promise<Recovered>;
  /** Takes jobs of earlier servers at once, where the database admits only one server. Called at start. */
  recoverAll(): Promise<Recovered>;
  /** Sets how many jobs a user may run at once from now on. */
  setLimit(userId: string, maxRunning: number): Promise<void>;
  countsOf(userId: string): Promise<QueueCounts>;
  /** Rebuilds counts that differ from the jobs; returns how many lines were wrong. */
  heal(): Promise<number>;
}
