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
  JobTimeline,
  OUTPUT_TYPES,
  oneOf,
  optional,
} from '@atelier/contracts';
import { type TSchema, Type } from 'typebox';

import type { JobStatus } from '../../platform/db/schema/cloud.ts';
import { MAX_CURSOR_LENGTH } from '../../platform/http/cursor.ts';
import { createRouteDefiner } from '../../platform/http/define-route.ts';
import type { Routes } from '../../platform/http/route-config.ts';
import { sendJson } from '../../platform/http/send-json.ts';
import type { JobsService } from './jobs.service.ts';
import { readTimeline, type TimelineParts } from './read-timeline.ts';

/** Any string is accepted: one that is not an id is not found. */
export const AnyJobId = Type.String({
  description: 'Id of the job. A string that is not a UUID counts as unknown.',
});

/** For answers that are rendered as text: the schema only describes them. */
export const rendered = (schema: TSchema) => Type.Unsafe<unknown>({ ...schema });

const Offset = Type.Integer({ default: 0, minimum: 0 });
const STATUS = `(?:${JOB_STATUSES.join('|')})`;
const listQuery = optional({
  status: Type.String({
    maxLength: 100,
    pattern: `^(?: *${STATUS} *(?:, *${STATUS} *)*)?$`,
    description: `Some of ${JOB_STATUSES.join(', ')}, separated by commas. Empty means all.`,
    expects: `some of ${JOB_STATUSES.join(', ')}, with commas between them`,
  }),
  workflow_id: Type.String({ maxLength: 1000, description: 'Only jobs with exactly this `workflow_id`.' }),
  workflow_name: Type.String({
    maxLength: 1000,
    description: 'Only jobs submitted with exactly this `extra_data.workflow_name`.',
  }),
  tags: Type.String({
    maxLength: 2000,
    description: 'Only jobs that were submitted with all of these tags, separated by commas.',
  }),
  created_from: Type.Integer({
    minimum: 0,
    description: 'Only jobs accepted then or later. Unix time in ms.',
  }),
  created_before: Type.Integer({ minimum: 0, description: 'Only jobs accepted earlier. Unix time in ms.' }),
  output_type: oneOf(OUTPUT_TYPES, { description: 'Only completed jobs with such an output.' }),
  sort_by: oneOf(['created_at', 'create_time', 'execution_duration', 'execution_time'], {
    default: 'created_at',
    description: '`create_time` means `created_at`, `execution_time` means `execution_duration`.',
  }),
  sort_order: oneOf(['asc', 'desc'], {
    default: 'desc',
    description: '`desc` puts the newest or longest job first.',
  }),
  limit: Type.Integer({
    default: 100,
    minimum: 1,
    maximum: 1000,
    description: 'Maximum number of jobs to return.',
  }),
  offset: { ...Offset, description: 'Slow when it is large; `after` is faster.' },
  after: Type.String({
    maxLength: MAX_CURSOR_LENGTH,
    description: 'The `next_cursor` of the page before, in the order of creation. `offset` is ignored then.',
  }),
});

const routeDefaults = { tag: 'workflows' };

export const jobsRoutes: Routes<{ readonly jobs: JobsService; readonly timeline: TimelineParts }> =
  ({ jobs, timeline }) =>
  async (app) => {
    const route = createRouteDefiner(app, {
      ...routeDefaults,
      parameters: { prompt_id: AnyJobId, job_id: AnyJobId },
    });
    route('GET', '/api/job/:prompt_id/status', {
      operation: 'cloud.jobs.state',
      failures: [404],
      summary: 'How far a job is',
      description:
        'Made for polling: returns status and times, no outputs. After a failure, `error_message` has the error as JSON text. `GET /api/jobs/{id}/events` and `GET /ws` report changes without polling.',
      response: { 200: JobState },
      handle: async ({ actor, params }) => await jobs.state(actor.userId, params.prompt_id),
    });

    route('GET', '/api/jobs', {
      operation: 'cloud.jobs.list',
      summary: 'Your jobs, page by page',
      description:
        'Hidden jobs (`POST /api/history`) are left out. `pagination.total` counts all pages. Pass `pagination.next_cursor` as `after` to get the next page; a list sorted by duration has no cursor, so use `offset` there.',
      query: listQuery,
      response: { 200: rendered(JobPage) },
      handle: async ({ actor, query, reply }) => {
        const { sort_by: sortBy = '', sort_order: order = 'desc', limit = 100, offset = 0 } = query;
        const page = jobs.list(actor.userId, {
          statuses: statusesIn(query.status, query.output_type),
          workflowId: query.workflow_id,
          outputType: query.output_type,
          workflowName: query.workflow_name,
          tags: query.tags?.split(',').flatMap((tag) => tag.trim() || []),
          from: query.created_from,
          before: query.created_before,
          sortBy: sortBy.startsWith('execution_') ? 'duration' : 'arrival',
          order,
          limit,
          offset,
          after: query.after,
        });
        return await sendJson(reply, page);
      },
    });

    route('GET', '/api/jobs/:job_id', {
      operation: 'cloud.jobs.read',
      failures: [404],
      summary: 'One job with its workflow and outputs',
      description:
        '`outputs` is there once the job has ended; while it runs, only the server that runs it shows the outputs so far. `queue_position` is the place of a waiting job among your own. An unknown id gets 404.',
      response: { 200: rendered(JobDetail) },
      handle: async ({ actor, params, reply }) =>
        await sendJson(reply, await jobs.detail(actor.userId, params.job_id)),
    });

    route('GET', '/api/jobs/:job_id/timeline', {
      operation: 'cloud.jobs.timeline',
      failures: [404],
      summary: 'When each node of a job ran, where, and what it said',
      description:
        'Kept with the job once it has ended. While it runs, only the server that runs it shows the nodes so far. Times are those at which the server heard of it.',
      response: { 200: JobTimeline },
      handle: async ({ actor, params }) => await readTimeline(timeline, actor.userId, params.job_id),
    });

    route('GET', '/api/jobs/:job_id/assets', {
      operation: 'cloud.jobs.assets',
      failures: [404],
      summary: 'The files that a job has put out',
      description:
        'For a running job these are the files so far. `preview_url` is a signed link that works without a credential for an hour. Temporary files are listed until they expire.',
      query: optional({
        limit: Type.Integer({
          default: 20,
          minimum: 1,
          maximum: 500,
          description: 'Maximum number of files to return.',
        }),
        offset: { ...Offset, description: 'How many files to skip.' },
      }),
      response: { 200: JobAssetPage },
      handle: async ({ actor, params, query: { limit = 20, offset = 0 } }) =>
        await jobs.assets(actor.userId, params.job_id, { limit, offset }),
    });

    // This route refuses an id that is not a UUID.
    const strictRoute = createRouteDefiner(app, { ...routeDefaults, parameters: JobParams.properties });
    strictRoute('POST', '/api/jobs/:job_id/cancel', {
      operation: 'cloud.jobs.cancel',
      failures: [404],
      summary: 'Cancel a job, whether it waits or runs',
      description:
        'Can be repeated: `cancelled` is `true` for the call that cancels the job and `false` once it has ended. An id that is not a UUID gets 400, an unknown one 404.',
      response: { 200: JobCancelled },
      handle: async ({ actor, params }) => {
        const cancelled = await jobs.cancel(actor.userId, [params.job_id]);
        return { cancelled: cancelled.length > 0 };
      },
    });

    route('POST', '/api/jobs/cancel', {
      operation: 'cloud.jobs.cancel.several',
      failures: [404],
      summary: 'Cancel several jobs; none when one of them is not yours',
      description:
        'Takes 1 to 100 ids. `cancelled` has the ids of the jobs that had not ended. An id that is unknown or not yours gets 404.',
      body: CancelJobs,
      response: { 200: JobsCancelled },
      handle: async ({ actor, body }) => ({
        cancelled: [...(await jobs.cancel(actor.userId, body.job_ids))],
      }),
    });
  };

function statusesIn(list: string | undefined, outputType: string | undefined): readonly JobStatus[] {
  const named = list ? new Set(list.split(',').map((word) => word.trim())) : new Set(JOB_STATUSES);
  const statuses = JOB_STATUSES.filter((status) => named.has(status));
  return outputType === undefined ? statuses : statuses.filter((status) => status === 'completed');
}
