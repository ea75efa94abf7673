import { optional, V2Job, V2JobPage, V2JobRequest, V2Logs, V2Workflow } from '@atelier/contracts';
import type { FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { MAX_CURSOR_LENGTH } from '../../platform/http/cursor.ts';
import { createRouteDefiner } from '../../platform/http/define-route.ts';
import { acceptJsonText } from '../../platform/http/json-body.ts';
import type { App, Routes } from '../../platform/http/route-config.ts';
import { sendJson } from '../../platform/http/send-json.ts';
import { createValidatorCompiler } from '../../platform/http/validation.ts';
import { rendered } from '../jobs/jobs.routes.ts';
import { readMetadataFilter } from '../submit/job-metadata.ts';
import { RefusedPrompt } from '../submit/refused-prompt.ts';
import { MAX_SUBMISSION_BYTES } from '../submit/submission-body.ts';
import type { V2JobsService } from './jobs.service.ts';
import { refusedWorkflow } from './refused-workflow.ts';

const PREFIX = /^(?:\/[\w.~-]{1,100}){1,10}$/;

const Headers = Type.Object(
  optional({
    'idempotency-key': Type.String({
      minLength: 1,
      maxLength: 255,
      description: 'A key makes at most one job within 24 hours. A refused request does not use it up.',
    }),
  }),
);

export const v2Defaults = {
  tag: 'comfy api v2',
  parameters: { id: 'Id of the job.', assetId: 'Id of the asset.' },
} as const;

interface Parts {
  readonly jobs: V2JobsService;
}

export const v2JobsRoutes: Routes<Parts> = (parts) => async (app) => {
  await app.register(async (inner) => {
    acceptJsonText(inner);
    addCreate(inner, parts);
  });
  addOthers(app, parts);
};

function addCreate(app: App, { jobs }: Parts): void {
  const compile = createValidatorCompiler();
  createRouteDefiner(app, v2Defaults)('POST', '/api/v2/jobs', {
    operation: 'v2.jobs.create',
    needsSpace: true,
    failures: [402, 422, 429],
    bodyLimit: MAX_SUBMISSION_BYTES,
    // The body is parsed from text and validated by `readV2Submission`.
    validatorCompiler: (part) => (part.httpPart === 'body' ? () => true : compile(part)),
    summary: 'Submit a workflow',
    description:
      'Answers 201 once the job is queued for good. A workflow that cannot run gets 422 `invalid_workflow` with `details.node_errors`; one in the format of the editor 422 `workflow_format_ui`; one that refers to an asset you do not have 422 `missing_asset`. With 100 jobs waiting the answer is 429 `queue_full`.',
    headers: Headers,
    body: Type.Unsafe<string>(V2JobRequest),
    response: { 201: rendered(V2Job) },
    handle: async ({ actor, body, request, reply }) => {
      const { 'idempotency-key': key } = request.headers as Static<typeof Headers>;
      try {
        const job = await jobs.create(actor, body ?? '', key);
        return await sendJson(reply.code(201), jobJson(job, request));
      } catch (error) {
        if (!(error instanceof RefusedPrompt)) throw error;
        return await sendJson(reply.code(422), refusedWorkflow(error));
      }
    },
  });
}

function addOthers(app: App, { jobs }: Parts): void {
  const route = createRouteDefiner(app, v2Defaults);
  route('GET', '/api/v2/jobs', {
    operation: 'v2.jobs.list',
    summary: 'Your jobs, newest first',
    description:
      'Filter with up to three `metadata[key]=value`: only jobs that have all of these pairs. Pass `next_cursor` as `cursor` to get the next page. Jobs of every other route are listed too; hidden ones are not.',
    query: optional({
      limit: Type.Integer({ minimum: 1, maximum: 100, default: 50, description: 'Jobs on a page.' }),
      cursor: Type.String({ maxLength: MAX_CURSOR_LENGTH, description: '`next_cursor` of the page before.' }),
    }),
    response: { 200: V2JobPage },
    handle: async ({ actor, query: { limit = 50, cursor }, request }) =>
      await jobs.list(actor.userId, { limit, cursor, metadata: readMetadataFilter(request.url) }),
  });

  route('GET', '/api/v2/jobs/:id', {
    operation: 'v2.jobs.read',
    failures: [404],
    summary: 'One job',
    description:
      'Made for polling. `progress` is there while the job runs; on a server that does not run it, it may be `null`. An id that is unknown, not yours or removed gets 404.',
    response: { 200: rendered(V2Job) },
    handle: async ({ actor, params, request, reply }) =>
      await sendJson(reply, jobJson(await jobs.read(actor.userId, params.id), request)),
  });

  route('GET', '/api/v2/jobs/:id/workflow', {
    operation: 'v2.jobs.workflow',
    failures: [404],
    summary: 'The workflow of a job, as it runs',
    description: 'References to assets are replaced by the names of files. Never has `extra_data`.',
    response: { 200: rendered(V2Workflow) },
    handle: async ({ actor, params, reply }) =>
      await sendJson(reply, `{"workflow":${await jobs.workflow(actor.userId, params.id)},"format":"api"}`),
  });

  route('GET', '/api/v2/jobs/:id/logs', {
    operation: 'v2.jobs.logs',
    failures: [404],
    summary: 'What the nodes of a job have said',
    description: 'The last 200 lines. Answers 204 when there are none.',
    response: { 200: V2Logs, 204: Type.Null({ description: 'The job has said nothing.' }) },
    handle: async ({ actor, params, reply }) => {
      const logs = await jobs.logs(actor.userId, params.id);
      return logs ?? (await reply.code(204).send());
    },
  });

  route('POST', '/api/v2/jobs/:id/cancel', {
    operation: 'v2.jobs.cancel',
    failures: [404],
    summary: 'Cancel a job, whether it waits or runs',
    description: 'Can be repeated. A job that has ended comes back as it is.',
    response: { 200: rendered(V2Job) },
    handle: async ({ actor, params, request, reply }) =>
      await sendJson(reply, jobJson(await jobs.cancel(actor.userId, params.id), request)),
  });
}

/** Clients append `urls` to the host alone, so they include the path prefix that a proxy has removed. */
function jobJson(job: V2Job, { headers }: FastifyRequest): string {
  const prefix = headers['x-forwarded-prefix'];
  if (typeof prefix !== 'string' || !PREFIX.test(prefix)) return JSON.stringify(job);
  const { self, events, cancel, logs } = job.urls;
  const urls = { self: prefix + self, events: prefix + events, cancel: prefix + cancel, logs: prefix + logs };
  return JSON.stringify({ ...job, urls });
}
