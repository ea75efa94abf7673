import {
  CancelJobs,
  JOB_STATUSES,
  JobAssetPage,
  JobCancelled,
  JobDetail,
  JobPage,
  JobParams,
  JobState,
  JobsCancelled,
  OUTPUT_TYPES,
} from '@atelier/contracts';
import { type TSchema, Type } from 'typebox';

import type { JobStatus } from '../../platform/db/schema/cloud.ts';
import { actorOf } from '../../platform/http/actor.ts';
import { LONGEST_CURSOR } from '../../platform/http/cursor.ts';
import type { Routes } from '../../platform/http/route-config.ts';
import type { JobsService } from './jobs.service.ts';
import { sendJson } from './pieces.ts';

const tags = ['workflows'];
/** Any text may be asked for: what is no id of a job is not found. */
const AnyJobParams = Type.Object({ job_id: Type.String() });

/** Rendered answers pass no serializer: the schema only describes them. */
export const rendered = (schema: TSchema) => Type.Unsafe<unknown>({ ...schema });

const Offset = Type.Integer({ default: 0, minimum: 0 });
const STATUS = `(?:${JOB_STATUSES.join('|')})`;
const ListQuery = Type.Object({
  status: Type.Optional(
    Type.String({
      maxLength: 100,
      pattern: `^(?: *${STATUS} *(?:, *${STATUS} *)*)?$`,
      expects: `some of ${JOB_STATUSES.join(', ')}, with commas between them`,
    }),
  ),
  workflow_id: Type.Optional(Type.String({ maxLength: 1000 })),
  output_type: Type.Optional(
    Type.Enum(OUTPUT_TYPES, { type: 'string', description: 'Only completed jobs with such an output.' }),
  ),
  sort_by: Type.Optional(
    Type.Enum(['created_at', 'create_time', 'execution_duration', 'execution_time'], {
      type: 'string',
      default: 'created_at',
    }),
  ),
  sort_order: Type.Optional(Type.Enum(['asc', 'desc'], { type: 'string', default: 'desc' })),
  limit: Type.Optional(Type.Integer({ default: 100, minimum: 1, maximum: 1000 })),
  offset: Type.Optional({ ...Offset, description: 'Slow when it is large; `after` is faster.' }),
  after: Type.Optional(
    Type.String({
      maxLength: LONGEST_CURSOR,
      description:
        'The `next_cursor` of the page before, in the order of creation. `offset` is ignored then.',
    }),
  ),
});

/** Reading and cancelling jobs, as the public cloud has it. */
export const jobsRoutes: Routes<{ readonly jobs: JobsService }> =
  ({ jobs }) =>
  async (app) => {
    app.get(
      '/api/job/:prompt_id/status',
      {
        config: { operation: 'cloud.jobs.state', access: 'user', session: true, failures: [404] },
        schema: {
          summary: 'How far a job is',
          tags,
          params: Type.Object({ prompt_id: Type.String() }),
          response: { 200: JobState },
        },
      },
      async (request) => await jobs.state(actorOf(request).userId, request.params.prompt_id),
    );

    app.get(
      '/api/jobs',
      {
        config: { operation: 'cloud.jobs.list', access: 'user', session: true },
        schema: {
          summary: 'Your jobs, page by page',
          tags,
          querystring: ListQuery,
          response: { 200: rendered(JobPage) },
        },
      },
      async (request, reply) => {
        const { query } = request;
        const { sort_by: sortBy = '', sort_order: order = 'desc', limit = 100, offset = 0 } = query;
        const page = jobs.list(actorOf(request).userId, {
          statuses: statusesIn(query.status, query.output_type),
          workflowId: query.workflow_id,
          outputType: query.output_type,
          sortBy: sortBy.startsWith('execution_') ? 'duration' : 'arrival',
          order,
          limit,
          offset,
          after: query.after,
        });
        return await sendJson(reply, page);
      },
    );

    app.get(
      '/api/jobs/:job_id',
      {
        config: { operation: 'cloud.jobs.read', access: 'user', session: true, failures: [404] },
        schema: {
          summary: 'One job with its workflow and outputs',
          tags,
          params: AnyJobParams,
          response: { 200: rendered(JobDetail) },
        },
      },
      async (request, reply) =>
        await sendJson(reply, await jobs.detail(actorOf(request).userId, request.params.job_id)),
    );

    app.get(
      '/api/jobs/:job_id/assets',
      {
        config: { operation: 'cloud.jobs.assets', access: 'user', session: true, failures: [404] },
        schema: {
          summary: 'The files that a job has put out',
          tags,
          params: AnyJobParams,
          querystring: Type.Object({
            limit: Type.Optional(Type.Integer({ default: 20, minimum: 1, maximum: 500 })),
            offset: Type.Optional(Offset),
          }),
          response: { 200: JobAssetPage },
        },
      },
      async (request) => {
        const { limit = 20, offset = 0 } = request.query;
        return await jobs.assets(actorOf(request).userId, request.params.job_id, { limit, offset });
      },
    );

    app.post(
      '/api/jobs/:job_id/cancel',
      {
        config: { operation: 'cloud.jobs.cancel', access: 'user', session: true, failures: [404] },
        schema: {
          summary: 'Cancel a job, whether it waits or runs',
          tags,
          params: JobParams,
          response: { 200: JobCancelled },
        },
      },
      async (request) => {
        const cancelled = await jobs.cancel(actorOf(request).userId, [request.params.job_id]);
        return { cancelled: cancelled.length > 0 };
      },
    );

    app.post(
      '/api/jobs/cancel',
      {
        config: { operation: 'cloud.jobs.cancel.several', access: 'user', session: true, failures: [404] },
        schema: {
          summary: 'Cancel several jobs; none when one of them is not yours',
          tags,
          body: CancelJobs,
          response: { 200: JobsCancelled },
        },
      },
      async (request) => ({
        cancelled: [...(await jobs.cancel(actorOf(request).userId, request.body.job_ids))],
      }),
    );
  };

function statusesIn(list: string | undefined, outputType: string | undefined): readonly JobStatus[] {
  const named = list ? new Set(list.split(',').map((word) => word.trim())) : new Set(JOB_STATUSES);
  const statuses = JOB_STATUSES.filter((status) => named.has(status));
  return outputType === undefined ? statuses : statuses.filter((status) => status === 'completed');
}
