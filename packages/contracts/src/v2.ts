import { type Static, Type } from 'typebox';

import { oneOf, optional, schema, Timestamp } from './fields.ts';

/** As clients of the Comfy API v2 see a job. */
export const V2_STATUSES = [
  'queued',
  'running',
  'canceling',
  'succeeded',
  'failed',
  'canceled',
  'expired',
] as const;
const OUTPUT_KINDS = ['image', 'video', 'audio', 'text', 'file', 'latent'] as const;
export type V2OutputKind = (typeof OUTPUT_KINDS)[number];

const JobId = Type.String({ examples: ['0198c0de-0000-7000-8000-000000000000'] });
const AssetId = Type.String({ examples: ['0198c0de-0000-7000-8000-000000000001'] });
const Hash = Type.String({
  description: '`blake3:` and 64 hexadecimal digits, of the bytes.',
  examples: ['blake3:af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262'],
});
const orNull = <T extends ReturnType<typeof Type.String | typeof Type.Integer>>(type: T, description = '') =>
  Type.Union([type, Type.Null()], description === '' ? {} : { description });

const V2Metadata = Type.Record(Type.String(), Type.String(), {
  description: 'Given with the job.',
  examples: [{ client: 'acme' }],
});

export const V2Progress = schema('V2Progress', {
  value: Type.Number({ minimum: 0, maximum: 1, description: 'The share that is done.' }),
  nodes_done: Type.Integer(),
  nodes_total: Type.Integer(),
  ...optional({
    current_node: orNull(Type.String()),
    current_node_class: orNull(Type.String()),
    step: orNull(Type.Integer(), 'The step that the current node is at.'),
    steps: orNull(Type.Integer()),
    message: orNull(Type.String()),
  }),
});
export type V2Progress = Static<typeof V2Progress>;

export const V2Output = schema('V2Output', {
  node_id: Type.String(),
  name: Type.String(),
  type: oneOf(OUTPUT_KINDS),
  content_type: Type.String(),
  size_bytes: Type.Integer(),
  id: AssetId,
  hash: orNull(Hash),
  url: Type.String({ description: 'Absolute. A link to a file needs no credential and expires.' }),
  url_expires_at: Timestamp,
  job_id: orNull(Type.String()),
});
export type V2Output = Static<typeof V2Output>;

const V2JobError = schema('V2JobError', {
  code: Type.String({ description: '`node_execution_error` when a node has failed.' }),
  message: Type.String(),
  node_id: orNull(Type.String()),
  class_type: orNull(Type.String()),
  traceback: orNull(Type.String()),
});
export type V2JobError = Static<typeof V2JobError>;

export const V2Job = schema('V2Job', {
  id: JobId,
  status: oneOf(V2_STATUSES),
  created_at: Timestamp,
  started_at: orNull(Timestamp),
  completed_at: orNull(Timestamp),
  expires_at: Type.String({ format: 'date-time', description: 'From then on the job may be removed.' }),
  queue_position: orNull(Type.Integer(), 'The place among your own jobs that wait; 1 is the next.'),
  progress: Type.Union([V2Progress, Type.Null()]),
  outputs: Type.Array(V2Output),
  error: Type.Union([V2JobError, Type.Null()]),
  urls: Type.Object({
    self: Type.String(),
    events: Type.String(),
    cancel: Type.String(),
    logs: Type.String(),
  }),
  metrics: Type.Object({ queue_ms: orNull(Type.Integer()), execution_ms: orNull(Type.Integer()) }),
  metadata: V2Metadata,
});
export type V2Job = Static<typeof V2Job>;
export type V2Status = V2Job['status'];

const V2ListedJob = schema('V2ListedJob', {
  id: JobId,
  status: oneOf(V2_STATUSES),
  create_time: Timestamp,
  update_time: Timestamp,
  metadata: V2Metadata,
});
export type V2ListedJob = Static<typeof V2ListedJob>;

export const V2JobPage = schema('V2JobPage', {
  jobs: Type.Array(V2ListedJob),
  next_cursor: Type.Union([Type.String(), Type.Null()], { description: '`null` on the last page.' }),
});

/** Only for the description: the body is read as text, because integers beyond 2^53 must stay exact. */
export const V2JobRequest = schema('V2JobRequest', {
  workflow: Type.Unsafe<unknown>({
    type: 'object',
    description:
      'Nodes by id, each with `class_type` and `inputs`. In place of a file name an input may have `{"__type": "core/ASSET", "info": {"id": …}}`.',
    examples: [
      {
        '1': { class_type: 'EmptyImage', inputs: { width: 64, height: 64, batch_size: 1, color: 255 } },
        '2': { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'v2' } },
      },
    ],
  }),
  ...optional({
    extra_data: Type.Object(
      optional({
        api_key_comfy_org: Type.String({ description: 'The API key that partner nodes use.' }),
        auth_token_comfy_org: Type.String({ description: 'Accepted and ignored.' }),
      }),
      { additionalProperties: false, description: 'Never stored in clear, logged or returned.' },
    ),
    metadata: Type.Record(Type.String(), Type.String(), {
      description:
        'At most 16 pairs. A key has 1 to 40 characters of `A-Za-z0-9_-.`, a value at most 256 bytes without control characters.',
      examples: [{ client: 'acme' }],
    }),
  }),
});

export const V2Workflow = schema('V2Workflow', {
  workflow: Type.Unsafe<unknown>({ type: 'object', description: 'The graph as it runs, with file names.' }),
  format: oneOf(['api', 'save']),
});

export const V2Logs = schema('V2Logs', {
  text: Type.String(),
  truncated: Type.Boolean({ description: 'Older lines were left out.' }),
  captured_at: Timestamp,
  complete: Type.Boolean({ description: 'The job has ended.' }),
});

const asset = {
  id: AssetId,
  hash: orNull(Hash),
  size_bytes: Type.Integer(),
  content_type: Type.String({ description: 'Detected from the bytes.' }),
  file_path: orNull(Type.String()),
  created_at: Timestamp,
  url: Type.String({ description: 'Absolute. A link to a file needs no credential and expires.' }),
  url_expires_at: Timestamp,
  expires_at: orNull(Timestamp, 'When it is deleted; `null`: never.'),
  job_id: orNull(Type.String(), 'The job that made it; `null` for an upload.'),
};
export const V2Asset = schema('V2Asset', asset);
export type V2Asset = Static<typeof V2Asset>;
export const V2AssetCreated = schema('V2AssetCreated', {
  ...asset,
  created_new: Type.Boolean({ description: 'False when you had these bytes before.' }),
});
export type V2AssetCreated = Static<typeof V2AssetCreated>;

export const V2AssetFromHash = schema('V2AssetFromHash', {
  hash: Hash,
  ...optional({
    file_path: Type.String({ maxLength: 1024, description: 'The name that it gets among your inputs.' }),
    tags: Type.Array(Type.String(), { maxItems: 100 }),
    expires_in: Type.Integer({ minimum: 60, maximum: 604_800, description: 'Seconds.' }),
  }),
});
export type V2AssetFromHash = Static<typeof V2AssetFromHash>;
