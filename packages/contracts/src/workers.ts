import { type Static, Type } from 'typebox';

import { oneOf, optional, schema, Timestamp } from './fields.ts';
import { WorkerLabels } from './worker-messages.ts';

const TokenName = Type.String({ minLength: 1, maxLength: 64 });
const Limit = Type.Array(Type.String({ maxLength: 64 }), {
  description: 'The only labels that workers with this token may have. Absent: any.',
});

export const NewWorkerToken = schema('NewWorkerToken', {
  name: TokenName,
  labels: Type.Optional(WorkerLabels),
});
export type NewWorkerToken = Static<typeof NewWorkerToken>;

export const ChangeWorkerToken = schema(
  'ChangeWorkerToken',
  { name: Type.Optional(TokenName), labels: Type.Optional(Type.Union([WorkerLabels, Type.Null()])) },
  { minProperties: 1 },
);
export type ChangeWorkerToken = Static<typeof ChangeWorkerToken>;

const workerToken = {
  id: Type.String(),
  name: Type.String(),
  labels: Type.Optional(Limit),
  created_at: Timestamp,
  last_used_at: Type.Optional(Timestamp),
};
export const WorkerToken = schema('WorkerToken', workerToken);
export type WorkerToken = Static<typeof WorkerToken>;

export const CreatedWorkerToken = schema('CreatedWorkerToken', {
  ...workerToken,
  token: Type.String({ description: 'For `npm run worker -- --token`. It is shown once.' }),
});
export type CreatedWorkerToken = Static<typeof CreatedWorkerToken>;

export const WorkerTokenList = schema('WorkerTokenList', { worker_tokens: Type.Array(WorkerToken) });

export const WORKER_STATES = ['ready', 'draining', 'quarantined', 'away'] as const;

export const Worker = schema('Worker', {
  id: Type.String(),
  name: Type.String(),
  kind: Type.String(),
  version: Type.String(),
  state: oneOf(WORKER_STATES, {
    description:
      '`away`: it has lost its connection, and its jobs are given to others unless it comes back soon.',
  }),
  ...optional({
    reason: Type.String({ description: 'Why it is quarantined.' }),
    problem: Type.String({ description: 'Why it cannot start a job now, such as a ComfyUI that has ended.' }),
  }),
  server: Type.String({ description: 'The server that it is connected to.' }),
  token_id: Type.Optional(Type.String({ description: 'Absent for a built-in worker.' })),
  slots: Type.Integer(),
  labels: Type.Array(Type.String()),
  memory_bytes: Type.Integer({ description: 'The memory that one job may use.' }),
  ram: Type.Optional(
    schema(
      'WorkerRam',
      { total_bytes: Type.Integer(), free_bytes: Type.Integer() },
      { description: 'Main memory of the machine of a ComfyUI, at most some seconds ago.' },
    ),
  ),
  gpus: Type.Array(
    schema('WorkerGpu', {
      name: Type.String(),
      memory_bytes: Type.Integer(),
      free_bytes: Type.Optional(Type.Integer({ description: 'At most some seconds ago.' })),
    }),
  ),
  node_types: Type.Optional(
    Type.String({
      description:
        'SHA-256 of the description of its node types. Missing until they are needed for the first time.',
    }),
  ),
  models: Type.Record(Type.String(), Type.Integer(), {
    description:
      'How many model files it has, by folder. `GET /admin/workers/{workerId}/models` has their names.',
  }),
  jobs: Type.Array(
    schema('WorkerJob', {
      job_id: Type.String(),
      attempt: Type.Integer(),
      ...optional({
        node_id: Type.String({ description: 'The node that runs.' }),
        node_type: Type.String(),
        heard_at: Type.String({
          format: 'date-time',
          description: 'When the job last made progress, or was sent.',
        }),
      }),
    }),
    { description: 'What it runs now.' },
  ),
  jobs_today: Type.Optional(
    Type.Integer({
      description:
        'Jobs that it has ended since 00:00 UTC, or since the start of its server if that is later.',
    }),
  ),
  errors: Type.Array(
    schema('WorkerError', {
      at: Timestamp,
      cause: Type.String(),
      message: Type.String(),
      job_id: Type.String(),
    }),
    { description: 'The last attempts that it lost or that failed, newest first.' },
  ),
  connected_at: Timestamp,
  seen_at: Timestamp,
});
export type Worker = Static<typeof Worker>;

export const WorkerList = schema('WorkerList', { workers: Type.Array(Worker) });

export const WorkerModels = schema('WorkerModels', {
  models: Type.Record(Type.String(), Type.Array(Type.String()), { description: 'File names by folder.' }),
});

export const WorkerDemand = schema('WorkerDemand', {
  labels: Type.Array(
    schema('LabelDemand', {
      label: Type.String({
        description: 'A label of workers. `any` stands for jobs that every worker can run.',
      }),
      waiting_jobs: Type.Integer(),
      oldest_seconds: Type.Integer({ description: 'How long the first of them has waited.' }),
      slots: Type.Integer({ description: 'Of the workers with this label that take jobs.' }),
      waiting_seconds: Type.Integer({
        description:
          'How long the workers that can run these jobs would take, if each job takes what such jobs took last. Jobs that no worker can run count by how long they have waited. One number to scale by.',
      }),
    }),
  ),
});
export type WorkerDemand = Static<typeof WorkerDemand>;

const WorkerConflict = schema('WorkerConflict', {
  type: Type.String({ description: 'The name of the node type.' }),
  used: Type.Array(Type.String(), {
    description: 'The names of the workers whose definition is used. Workers that are away count.',
  }),
  others: Type.Array(
    schema('WorkerConflictOther', {
      workers: Type.Array(Type.String()),
      difference: Type.String({ description: 'Such as `only one has the input strength`.' }),
    }),
  ),
});
export type WorkerConflict = Static<typeof WorkerConflict>;

export const WorkerConflicts = schema('WorkerConflicts', {
  total: Type.Integer(),
  conflicts: Type.Array(WorkerConflict, { description: 'The first 1000.' }),
});

export const QuarantineWorker = schema('QuarantineWorker', {
  reason: Type.String({ minLength: 1, maxLength: 500 }),
});
