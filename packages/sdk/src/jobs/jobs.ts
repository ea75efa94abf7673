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
import { uploadWorkflowFiles } from './upload-workflow-files.ts';
import { type JobsEvent, type WatchJobsOptions, watchJobs } from './watch-jobs.ts';

export interface SubmitOptions extends CallOptions {
  /** Values set before submitting, as `workflow.set` does: `{ 'KSampler.seed': 7 }`. The workflow itself is not changed. */
  readonly inputs?: Readonly<Record<string, WorkflowValue>> | undefined;
  /** Runs the job only on a worker that has all of these labels. */
  readonly labels?: readonly string[] | undefined;
  /** Receives a signed message when the job ends. */
  readonly webhookUrl?: string | undefined;
  /** Default: all but `in_progress`. */
  readonly webhookEvents?: readonly ('in_progress' | 'completed' | 'failed' | 'cancelled')[] | undefined;
  readonly clientId?: string | undefined;
  readonly workflowId?: string | undefined;
  /** The name of the workflow. The job list shows it. */
  readonly workflowName?: string | undefined;
  /** The job list shows them: at most 20, without commas. */
  readonly tags?: readonly string[] | undefined;
  /** A UUID of your choice for the job. */
  readonly id?: string | undefined;
  /** The same key with the same workflow within 24 hours returns the same job. By default each call has its own key. */
  readonly idempotencyKey?: string | undefined;
  /** Runs only these output nodes, by id. */
  readonly targets?: readonly string[] | undefined;
  /** Kept with the job, and shown in the history. */
  readonly extraData?: Readonly<Record<string, unknown>> | undefined;
}

export interface JobOptions extends CallOptions {
  /** Returns integers of the workflow beyond 53 bits, such as seeds, as `bigint`: for a workflow that will run again. */
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
      prompt: await uploadWorkflowFiles(workflow.toJSON(), files, signal),
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
      // Always with a key: if the response is lost, the retry returns the same job.
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
    /** Submits a workflow in either format. It is durably queued once this returns. */
    submit,

    /** Submits a workflow and waits for its result. */
    async run(
      source: Workflow | WorkflowJson | string,
      options: SubmitOptions & ResultOptions = {},
    ): Promise<JobResult> {
      const job = await submit(source, options);
      return await job.result(options);
    },

    /** A handle for an existing job. No request is made until it is used. */
    attach: (id: string): JobHandle => createJobHandle(transport, id),

    /** One job with its workflow, its outputs, and its error if it failed. */
    get: async (id: string, options: JobOptions = {}): Promise<JobDetail> =>
      await transport.get('JobDetail', path`/api/jobs/${id}`, options),

    /** The events of a job until it ends. */
    watch: (id: string, options: EventsOptions = {}): AsyncIterable<JobEvent> =>
      followJob(transport, id, options),

    /** The events of all your jobs, until aborted. Reconnects by itself. */
    watchAll: (options: WatchJobsOptions = {}): AsyncIterable<JobsEvent> => watchJobs(transport, options),

    /** Your jobs, newest first by default. */
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

    /** Cancels up to 100 jobs, or none if one of them is not yours. Returns those that had not ended. */
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

/** `undefined` if there is nothing to report. */
function extraDataOf(values: Readonly<Record<string, unknown>>) {
  return Object.values(values).some((value) => value !== undefined) ? values : undefined;
}
