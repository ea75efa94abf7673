import type { Files } from '../files/files.ts';
import { createList, type List } from '../http/list.ts';
import { path } from '../http/server-address.ts';
import type { CallOptions, Transport } from '../http/transport.ts';
import { randomKey } from '../random-key.ts';
import type { Job, JobDetail, JobPage, NodeProblems } from '../wire.ts';
import { toExactJson } from '../workflow/exact-json.ts';
import {
  isWorkflow,
  loadWorkflow,
  type Workflow,
  type WorkflowJson,
  type WorkflowValue,
} from '../workflow/load-workflow.ts';
import { type EventsOptions, followJob, type JobEvent } from './job-events.ts';
import {
  createJobHandle,
  type JobHandle,
  type JobResult,
  type ResultOptions,
  type SubmittedJobHandle,
} from './job-handle.ts';
import { placeFiles } from './place-files.ts';
import { type JobsEvent, type WatchJobsOptions, watchJobs } from './watch-jobs.ts';

export interface SubmitOptions extends CallOptions {
  /** Set before it is sent, as `workflow.set` does: `{ 'KSampler.seed': 7 }`. The workflow itself is not changed. */
  readonly inputs?: Readonly<Record<string, WorkflowValue>> | undefined;
  /** It runs only at a worker that has all of these. */
  readonly labels?: readonly string[] | undefined;
  /** Told when the job ends, signed. */
  readonly webhookUrl?: string | undefined;
  /** By default all but `in_progress`. */
  readonly webhookEvents?: readonly ('in_progress' | 'completed' | 'failed' | 'cancelled')[] | undefined;
  readonly clientId?: string | undefined;
  readonly workflowId?: string | undefined;
  /** What you call the workflow. Jobs are listed with it. */
  readonly workflowName?: string | undefined;
  /** Jobs are listed with them: at most 20, without commas. */
  readonly tags?: readonly string[] | undefined;
  /** A UUID of your own for the job. */
  readonly id?: string | undefined;
  /** The same key with the same workflow within 24 hours gives the same job. By default each call has one of its own. */
  readonly idempotencyKey?: string | undefined;
  /** Only these output nodes, by id. */
  readonly targets?: readonly string[] | undefined;
  /** Kept with the job, and shown in the history. */
  readonly extraData?: Readonly<Record<string, unknown>> | undefined;
}

export interface JobOptions extends CallOptions {
  /** Whole numbers of the workflow beyond 53 bits, as seeds have them, come as `bigint`: for a workflow that is to run again. */
  readonly isExact?: boolean | undefined;
}

export interface JobFilter extends CallOptions {
  readonly status?: Job['status'] | readonly Job['status'][] | undefined;
  readonly workflowId?: string | undefined;
  readonly workflowName?: string | undefined;
  /** Jobs that have all of them. */
  readonly tags?: readonly string[] | undefined;
  /** Accepted then or later. */
  readonly from?: Date | undefined;
  /** Accepted earlier. */
  readonly before?: Date | undefined;
  readonly outputType?: 'image' | 'video' | 'audio' | '3d' | undefined;
  /** Default: newest first. */
  readonly sortOrder?: 'asc' | 'desc' | undefined;
  /** Entries on a page, 1 to 1000. */
  readonly pageSize?: number | undefined;
}

export function createJobs(transport: Transport, files: Pick<Files, 'upload'>) {
  async function submit(
    source: Workflow | WorkflowJson | string,
    options: SubmitOptions = {},
  ): Promise<SubmittedJobHandle> {
    const workflow = isWorkflow(source) ? source.copy() : loadWorkflow(source);
    for (const [input, value] of Object.entries(options.inputs ?? {})) workflow.set(input, value);
    const { labels, extraData, workflowName, tags, signal } = options;
    const text = toExactJson({
      prompt: await placeFiles(workflow.toJSON(), files, signal),
      prompt_id: options.id,
      client_id: options.clientId,
      workflow_id: options.workflowId,
      partial_execution_targets: options.targets,
      webhook_url: options.webhookUrl,
      webhook_events: options.webhookEvents,
      extra_data: extraDataOf({ ...extraData, worker_labels: labels, workflow_name: workflowName, tags }),
    });
    const answer = await transport.post('SubmittedJob', '/api/prompt', {
      signal,
      timeoutMs: options.timeoutMs,
      // Always with a key: an answer that is lost costs nothing, because the repetition gets the same job.
      headers: {
        'content-type': 'application/json',
        'idempotency-key': options.idempotencyKey ?? randomKey(),
      },
      isRepeatable: true,
      makeBody: () => ({ body: text, headers: {} }),
    });
    return {
      ...createJobHandle(transport, answer.prompt_id),
      number: answer.number,
      warnings: answer.warnings ?? [],
      nodeErrors: answer.node_errors as Record<string, NodeProblems>,
    };
  }

  return {
    /** Submits a workflow in either format. It is queued for good once this returns. */
    submit,

    /** Submits a workflow and waits for its result. */
    async run(
      source: Workflow | WorkflowJson | string,
      options: SubmitOptions & ResultOptions = {},
    ): Promise<JobResult> {
      const job = await submit(source, options);
      return await job.result(options);
    },

    /** The handle of a job that was submitted before. Nothing is asked until it is used. */
    attach: (id: string): JobHandle => createJobHandle(transport, id),

    /** One job with its workflow, its outputs, and the error when it has failed. */
    get: async (id: string, options: JobOptions = {}): Promise<JobDetail> =>
      await transport.get('JobDetail', path`/api/jobs/${id}`, options),

    /** What happens to a job, to its end. */
    watch: (id: string, options: EventsOptions = {}): AsyncIterable<JobEvent> =>
      followJob(transport, id, options),

    /** What happens to all your jobs, until it is ended from outside. It connects again by itself. */
    watchAll: (options: WatchJobsOptions = {}): AsyncIterable<JobsEvent> => watchJobs(transport, options),

    /** Your jobs, newest first unless said otherwise. */
    list({
      status,
      workflowId,
      workflowName,
      tags,
      from,
      before,
      outputType,
      sortOrder,
      pageSize,
      ...options
    }: JobFilter = {}): List<Job, JobPage> {
      return createList<Job, JobPage, string>({
        load: async (after) =>
          await transport.get('JobPage', '/api/jobs', {
            ...options,
            query: {
              status,
              workflow_id: workflowId,
              workflow_name: workflowName,
              tags,
              created_from: from?.getTime(),
              created_before: before?.getTime(),
              output_type: outputType,
              sort_order: sortOrder,
              limit: pageSize,
              after,
            },
          }),
        items: ({ jobs }) => jobs,
        next: ({ pagination }) => pagination.next_cursor,
      });
    },

    /** Cancels up to 100 jobs, or none when one of them is not yours. Gives those that had not ended. */
    async cancel(ids: readonly string[], options: CallOptions = {}): Promise<readonly string[]> {
      const { cancelled } = await transport.post('JobsCancelled', '/api/jobs/cancel', {
        ...options,
        body: { job_ids: ids },
        isRepeatable: true,
      });
      return cancelled;
    },
  };
}

/** `undefined` when there is nothing to say. */
function extraDataOf(values: Readonly<Record<string, unknown>>) {
  return Object.values(values).some((value) => value !== undefined) ? values : undefined;
}
