import { type Static, Type } from 'typebox';

import { anyObject, Before, oneOf, optional, schema, Timestamp, User } from './fields.ts';

export const JOB_STATUSES = ['pending', 'in_progress', 'completed', 'failed', 'cancelled'] as const;
export const OUTPUT_TYPES = ['image', 'video', 'audio', '3d'] as const;

/** Not the format `uuid`, which also takes `urn:uuid:`. */
const JobId = Type.String({
  pattern: '^[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$',
  description: 'A UUID.',
  expects: 'a UUID, such as 0198c0de-0000-7000-8000-000000000000',
});

const Status = oneOf(JOB_STATUSES);
const Ms = (description: string) => Type.Integer({ description: `${description} Unix time in ms.` });
const Graph = anyObject('The workflow in the API format.');
const ExtraData = anyObject('What was submitted beside the workflow, without credentials.');
const Outputs = anyObject('The outputs of each node, by node id.');
const Meta = anyObject('The place of each of these nodes in the workflow, by node id.');
const Targets = Type.Array(Type.String(), { description: 'The output nodes that were asked for.' });
const Arrival = Type.Integer({ description: 'The order of arrival.' });

export const PromptWarning = schema(
  'PromptWarning',
  {
    type: oneOf(['unknown_input', 'unknown_field']),
    message: Type.String(),
    details: Type.String({ description: 'Names it, and what was probably meant.' }),
    extra_info: Type.Record(Type.String(), Type.Unknown()),
  },
  {
    example: {
      type: 'unknown_input',
      message: 'The node has no such input, so it is ignored',
      details: 'Node 1 (EmptyImage) has no input colour. Did you mean color?',
      extra_info: { node_id: '1', class_type: 'EmptyImage', input_name: 'colour', did_you_mean: 'color' },
    },
  },
);

/** The answer to a submission. */
export const SubmittedJob = schema('SubmittedJob', {
  prompt_id: Type.String(),
  number: Type.Integer({ description: 'Counts up with every job of the service.' }),
  node_errors: Type.Record(Type.String(), Type.Unknown(), { description: 'Why some outputs cannot run.' }),
  ...optional({
    warnings: Type.Array(PromptWarning, {
      description: 'Ignored parts of the request: inputs that nodes do not have, unknown fields.',
    }),
    status: Type.String({ description: 'With `wait`: the status of the job.' }),
    outputs: Type.Record(Type.String(), Type.Unknown(), { description: 'With `wait`.' }),
    execution_error: Type.Unknown({ description: 'With `wait`: why it failed.' }),
  }),
});

export const JobState = schema('JobState', {
  id: Type.String(),
  status: Status,
  created_at: Timestamp,
  updated_at: Timestamp,
  last_state_update: Timestamp,
  ...optional({
    assigned_inference: Type.String({ description: 'Which server runs it.' }),
    error_message: Type.String({ description: 'Why it failed: the data of `execution_error` as JSON text.' }),
  }),
});
export type JobState = Static<typeof JobState>;

const job = {
  id: Type.String(),
  status: Status,
  priority: Arrival,
  create_time: Ms('When it was accepted.'),
  ...optional({
    execution_start_time: Ms('When it was last started.'),
    execution_end_time: Ms('When it ended.'),
    execution_error: anyObject('The data of `execution_error`.'),
  }),
  outputs_count: Type.Integer(),
  previewable_outputs_count: Type.Integer(),
  ...optional({
    preview_output: anyObject('The output that stands for the job.'),
    workflow_id: Type.String(),
    workflow_name: Type.String({ description: 'The name that the submitter gave the workflow.' }),
    tags: Type.Array(Type.String(), { description: 'Given with the submission.' }),
    metadata: Type.Record(Type.String(), Type.String(), { description: 'Given with `POST /api/v2/jobs`.' }),
  }),
};

export const Job = schema('Job', job);

const Pagination = {
  offset: Type.Integer(),
  limit: Type.Integer(),
  total: Type.Integer({ description: 'How many there are on all pages; at most a minute old.' }),
  has_more: Type.Boolean(),
};

export const JobPage = schema('JobPage', {
  jobs: Type.Array(Job),
  pagination: Type.Object({
    ...Pagination,
    next_cursor: Type.Optional(Type.String({ description: '`after` of the next page.' })),
  }),
});
export type JobPage = Static<typeof JobPage>;

const ExecutionStatus = schema('ExecutionStatus', {
  status_str: oneOf(['success', 'error']),
  completed: Type.Boolean(),
  messages: Type.Array(Type.Array(Type.Unknown()), {
    description: 'Pairs of type and data: start, cached, success, error, interrupted.',
  }),
});

export const JobDetail = schema('JobDetail', {
  ...job,
  update_time: Ms('When it last changed its state.'),
  ...optional({
    queue_position: Type.Integer({ minimum: 1, description: 'While it waits: 1 is the next of your own.' }),
    waiting_for: Type.String({
      description: 'While it waits for a suitable worker: what no connected worker has.',
    }),
    estimated_start_in_ms: Type.Integer({ description: 'While it waits, when enough is known to tell.' }),
    estimate_based_on: Type.Object({
      recent_jobs: Type.Integer({ description: 'How many of your completed jobs the estimate is based on.' }),
      median_ms: Type.Integer({ description: 'How long they took.' }),
      running: Type.Integer({ description: 'How many of your jobs run now.' }),
    }),
    outputs: Outputs,
    execution_status: ExecutionStatus,
    execution_meta: Meta,
  }),
  workflow: Type.Object({ prompt: Graph, extra_data: ExtraData }),
});
export type JobDetail = Static<typeof JobDetail>;

export const JobAssetPage = schema('JobAssetPage', {
  job_id: Type.String(),
  assets: Type.Array(
    Type.Object({
      id: Type.String(),
      name: Type.String(),
      hash: Type.String({ description: '`blake3:` and 64 hexadecimal digits.' }),
      mime_type: Type.String(),
      size: Type.Integer({ description: 'Bytes.' }),
      preview_url: Type.String({ description: 'A signed link to the file; it ends.' }),
      created_at: Timestamp,
      node_id: Type.Optional(Type.String()),
      output_key: Type.Optional(Type.String()),
      output_index: Type.Optional(Type.Integer()),
    }),
  ),
  pagination: Type.Object(Pagination),
});
export type JobAssetPage = Static<typeof JobAssetPage>;

export const JobParams = Type.Object({ job_id: JobId });

export const CancelJobs = schema('CancelJobs', {
  job_ids: Type.Array(JobId, { minItems: 1, maxItems: 100 }),
});
export const JobCancelled = schema('JobCancelled', {
  cancelled: Type.Boolean({ description: 'False when it had ended already.' }),
});
export const JobsCancelled = schema('JobsCancelled', {
  cancelled: Type.Array(Type.String(), { description: 'Those that had not ended.' }),
});

export const QueueRemaining = schema('QueueRemaining', {
  exec_info: Type.Object({ queue_remaining: Type.Integer({ description: 'Waiting and running.' }) }),
});

const QueueItems = (description: string) =>
  Type.Array(Type.Array(Type.Unknown()), {
    description: `${description} Each is \`[number, prompt_id, prompt, extra_data, outputs_to_execute]\`.`,
  });
export const Queue = schema('Queue', {
  queue_running: QueueItems('In order of arrival.'),
  queue_pending: QueueItems('The next one first.'),
});

const someIds = Type.Array(Type.String({ maxLength: 100 }), { maxItems: 1000 });
export const QueueChange = schema('QueueChange', {
  clear: Type.Optional(Type.Boolean({ description: 'Cancel everything that waits.' })),
  delete: Type.Optional({ ...someIds, description: 'Cancel these, whether they wait or run.' }),
});
export const QueueChanged = schema('QueueChanged', {
  deleted: Type.Array(Type.String()),
  cleared: Type.Boolean(),
});

export const HistoryChange = schema('HistoryChange', {
  clear: Type.Optional(Type.Boolean({ description: 'Hide every job that has ended.' })),
  delete: Type.Optional({ ...someIds, description: 'Hide these if they have ended.' }),
});

export const FreeMemory = schema('FreeMemory', {
  unload_models: Type.Optional(Type.Boolean()),
  free_memory: Type.Optional(Type.Boolean({ description: 'Forget the results kept from your jobs.' })),
});

const result = { outputs: Outputs, status: ExecutionStatus, meta: Meta };

const HistoryEntry = Type.Object({
  prompt: Type.Array(Type.Unknown(), {
    description: '`[number, prompt_id, prompt, extra_data, outputs_to_execute]`',
  }),
  ...result,
});

/** By job id; with `map_function` that part of each entry alone. */
export const History = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  title: 'History',
  additionalProperties: {
    description: 'The entry, or with `map_function` its outputs or its status.',
    anyOf: [HistoryEntry, Outputs, ExecutionStatus],
  },
});

export const HistoryList = schema('HistoryList', {
  history: Type.Array(
    Type.Object({
      prompt_id: Type.String(),
      create_time: Ms('When it was accepted.'),
      workflow_id: Type.Optional(Type.String()),
      prompt: Type.Object({ priority: Arrival, prompt_id: Type.String(), extra_data: ExtraData }),
      ...result,
    }),
  ),
});

/** By job id. */
export const HistoryDetail = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  title: 'HistoryDetail',
  additionalProperties: Type.Object({
    prompt: Type.Object({
      priority: Arrival,
      prompt_id: Type.String(),
      prompt: Graph,
      extra_data: ExtraData,
      outputs_to_execute: Targets,
    }),
    ...result,
  }),
});

export const AdminJobQuery = Type.Object({
  ...optional({
    user_id: Type.String({ description: 'Only jobs of this user.' }),
    status: Type.String({
      pattern: `^(?:${JOB_STATUSES.join('|')})(?:,(?:${JOB_STATUSES.join('|')}))*$`,
      description: `With commas between them: ${JOB_STATUSES.join(', ')}.`,
      expects: `some of ${JOB_STATUSES.join(', ')}, with commas between them`,
      example: 'pending,in_progress',
    }),
    before: Before,
  }),
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
});
export type AdminJobQuery = Static<typeof AdminJobQuery>;

export const AdminJobPage = schema(
  'AdminJobPage',
  {
    jobs: Type.Array(
      Type.Object({
        id: Type.String(),
        number: Arrival,
        user: User,
        status: Status,
        created_at: Timestamp,
        started_at: Type.Optional(Timestamp),
        ended_at: Type.Optional(Timestamp),
        attempt: Type.Integer({ description: 'How often it was started.' }),
        runner: Type.Optional(Type.String({ description: 'Which server runs it.' })),
        error_message: Type.Optional(Type.String({ description: 'Why it failed.' })),
      }),
      { description: 'Newest first.' },
    ),
    next_before: Type.Optional(Type.Integer({ description: 'Pass it as `before` for the next page.' })),
  },
  {
    example: {
      jobs: [
        {
          id: '0198c0de-0000-7000-8000-000000000000',
          number: 42,
          user: { id: '0198c0de-0000-7000-8000-000000000001', email: 'ada@example.com' },
          status: 'in_progress',
          created_at: '2026-01-31T12:00:00.000Z',
          started_at: '2026-01-31T12:00:01.000Z',
          attempt: 1,
          runner: '0198c0de-0000-7000-8000-000000000002',
        },
      ],
      next_before: 42,
    },
  },
);
export type AdminJobPage = Static<typeof AdminJobPage>;
