import { AtelierError, JobCancelledError, JobFailedError } from '../errors.ts';
import { sleep } from '../http/deadline.ts';
import { path } from '../http/server-address.ts';
import type { CallOptions, Transport } from '../http/transport.ts';
import type { ExecutionErrorData, JobDetail, JobTimeline, NodeProblems, PromptWarning } from '../wire.ts';
import { type EventsOptions, followJob, type JobEvent } from './job-events.ts';
import { type JobOutput, listOutputs } from './job-outputs.ts';
import { createProgressTracker, type JobProgress } from './job-progress.ts';

export interface ResultOptions extends EventsOptions {
  /** Called whenever something has changed. */
  readonly onProgress?: ((progress: JobProgress) => void) | undefined;
  /** Called with every event, for callers that show more than progress. */
  readonly onEvent?: ((event: JobEvent) => void) | undefined;
}

export interface JobResult {
  readonly id: string;
  /** The files. */
  readonly outputs: readonly JobOutput[];
  /** The output of each node, by node id, including texts. */
  readonly values: Readonly<Record<string, unknown>>;
  /** The job as stored on the server. */
  readonly detail: JobDetail;
}

/** A job that may wait, run or have ended. */
export interface JobHandle {
  readonly id: string;
  /** The events of the job, from start to end. */
  events(options?: EventsOptions): AsyncIterable<JobEvent>;
  /** Waits for the end. Throws a `JobFailedError` or a `JobCancelledError` if the job does not complete. */
  result(options?: ResultOptions): Promise<JobResult>;
  /** The files so far. */
  outputs(options?: CallOptions): Promise<JobOutput[]>;
  detail(options?: CallOptions): Promise<JobDetail>;
  /** When and where each node ran, and what it logged. */
  timeline(options?: CallOptions): Promise<JobTimeline>;
  /** Cancels the job. Returns whether this call cancelled it; false if it had already ended. */
  cancel(options?: CallOptions): Promise<boolean>;
}

/** A newly accepted job. */
export interface SubmittedJobHandle extends JobHandle {
  /** Increases with every job of the server. */
  readonly number: number;
  /** Inputs that the nodes do not have; they are ignored. */
  readonly warnings: readonly PromptWarning[];
  /** Why some outputs do not run, by node id. */
  readonly nodeErrors: Readonly<Record<string, NodeProblems>>;
}

const POLL_MS = 2000;

export function createJobHandle(transport: Transport, id: string): JobHandle {
  const detail = async (options: CallOptions = {}): Promise<JobDetail> =>
    await transport.get('JobDetail', path`/api/jobs/${id}`, options);

  /** Too many streams are open, so the job is polled. */
  async function poll(signal: AbortSignal | undefined): Promise<JobDetail> {
    for (;;) {
      const job = await detail({ signal });
      if (hasEnded(job)) return job;
      await sleep(POLL_MS, signal);
    }
  }

  async function watch({ onProgress, onEvent, ...options }: ResultOptions): Promise<JobDetail> {
    let tracker: ReturnType<typeof createProgressTracker> | undefined;
    try {
      for await (const event of followJob(transport, id, { ...options, waitsForRoom: false })) {
        onEvent?.(event);
        if (!onProgress) continue;
        tracker ??= createProgressTracker(nodesIn(await detail(options)));
        const progress = tracker.after(event);
        if (progress) onProgress(progress);
      }
    } catch (error) {
      if (!(error instanceof AtelierError) || error.code !== 'cloud.too_many_streams') throw error;
    }
    const job = await poll(options.signal);
    const end = job.status === 'completed' && (tracker ?? createProgressTracker(nodesIn(job))).finished();
    if (end) onProgress?.(end);
    return job;
  }

  return {
    id,
    events: (options) => followJob(transport, id, options),
    async result(options = {}) {
      const job = await watch(options);
      if (job.status === 'failed') throw new JobFailedError(id, errorDataOf(job));
      if (job.status === 'cancelled') throw new JobCancelledError(id);
      return {
        id,
        outputs: await listOutputs(transport, id, { signal: options.signal }),
        values: job.outputs ?? {},
        detail: job,
      };
    },
    outputs: async (options) => await listOutputs(transport, id, options),
    detail,
    timeline: async (options) => await transport.get('JobTimeline', path`/api/jobs/${id}/timeline`, options),
    async cancel(options = {}) {
      const { cancelled } = await transport.post('JobCancelled', path`/api/jobs/${id}/cancel`, {
        ...options,
        isRepeatable: true,
      });
      return cancelled;
    },
  };
}

function hasEnded({ status }: JobDetail): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled';
}

function nodesIn({ workflow }: JobDetail): number {
  return Object.keys(workflow.prompt).length;
}

function errorDataOf({ execution_error }: JobDetail): Partial<ExecutionErrorData> {
  return execution_error ?? {};
}
