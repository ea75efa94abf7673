import { optional, SubmittedJob } from '@atelier/contracts';
import type { FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { AppError } from '../../platform/errors/app-error.ts';
import { abortOnDisconnect } from '../../platform/http/abort-on-disconnect.ts';
import type { Actor } from '../../platform/http/actor.ts';
import { createRouteDefiner } from '../../platform/http/define-route.ts';
import { acceptJsonText } from '../../platform/http/json-body.ts';
import type { App, Routes } from '../../platform/http/route-config.ts';
import { HOST_DEFAULTS } from '../../platform/http/route-defaults.ts';
import { sendJson } from '../../platform/http/send-json.ts';
import { createValidatorCompiler } from '../../platform/http/validation.ts';
import { rawObject } from '../jobs/job-json.ts';
import { RefusedPrompt } from './refused-prompt.ts';
import { MAX_SUBMISSION_BYTES, SubmissionBody } from './submission-body.ts';
import type { Accepted, SubmitService } from './submit.service.ts';
import type { JobWaiter } from './wait-for-job.ts';

interface Parts {
  readonly submissions: SubmitService;
  readonly waiter: JobWaiter;
  readonly authenticate: (request: FastifyRequest) => Promise<Actor>;
}

const MAX_WAIT_SECONDS = 300;

const Headers = Type.Object(
  optional({
    'idempotency-key': Type.String({
      minLength: 1,
      maxLength: 255,
      description: 'The same key and body within 24 hours give the same job.',
    }),
    'comfy-usage-source': Type.String({
      maxLength: 200,
      description: 'Kept in `extra_data` as `comfy_usage_source`.',
    }),
  }),
);
const waitQuery = optional({
  wait: Type.Integer({
    minimum: 0,
    maximum: MAX_WAIT_SECONDS,
    description: 'Seconds to wait for the end of the job; the answer then has its status and outputs.',
  }),
});
/** Parsed from text, so that integers beyond 2^53 stay exact. */
const Body = Type.Unsafe<string>(SubmissionBody);
export const submitRoutes: Routes<Parts> = (parts) => async (app) => {
  await app.register(async (inner) => {
    acceptJsonText(inner);
    addRoute(inner, parts);
  });
};

function addRoute(app: App, { submissions, waiter, authenticate }: Parts): void {
  const compile = createValidatorCompiler();
  const route = createRouteDefiner(app, { ...HOST_DEFAULTS, tag: 'workflows' });
  route('POST', '/prompt', {
    operation: 'prompt.submit',
    needsSpace: true,
    errorShape: 'prompt',
    failures: [402, 403, 409, 429],
    bodyLimit: MAX_SUBMISSION_BYTES,
    // `checkFields` validates the body with the same schema, and answers in the format of ComfyUI.
    validatorCompiler: (part) => (part.httpPart === 'body' ? () => true : compile(part)),
    summary: 'Submit a workflow; it is queued for good once this answers',
    description:
      'A workflow that cannot run gets 400, with the reasons in `error` and `node_errors`. At most 100 jobs of an account wait; beyond that the answer is 429. Follow the job with `GET /ws`, `GET /api/jobs/{id}/events` or `GET /api/job/{prompt_id}/status`.',
    headers: Headers,
    query: waitQuery,
    body: Body,
    response: { 200: SubmittedJob },
    handle: async ({ actor, query: { wait }, body, request, reply }) => {
      const headers = request.headers as Static<typeof Headers>;
      using watching = wait === undefined ? undefined : waiter.watch(actor.userId);
      try {
        const accepted = await submissions.submit({
          caller: actor,
          text: body ?? '',
          idempotencyKey: headers['idempotency-key'],
          usageSource: headers['comfy-usage-source'],
        });
        const end = await watching
          ?.wait(accepted.jobId, {
            ms: (wait ?? 0) * 1000,
            signal: abortOnDisconnect(reply),
            isNew: accepted.waiting !== undefined,
            check: async () => await authenticate(request),
          })
          .catch(unlessCredentialEnded);
        return await sendJson(reply, answer(accepted, end));
      } catch (error) {
        if (!(error instanceof RefusedPrompt)) throw error;
        reply.statusCode = 400;
        return await sendJson(reply, error.body);
      }
    },
  });
}

function answer(
  { jobId, number, nodeErrors, warnings }: Accepted,
  end: Awaited<ReturnType<ReturnType<JobWaiter['watch']>['wait']>>,
): string {
  return rawObject({
    prompt_id: JSON.stringify(jobId),
    number: String(number),
    node_errors: nodeErrors,
    warnings,
    status: end && JSON.stringify(end.status),
    outputs: end?.outputs ?? undefined,
    execution_error: end?.error ?? undefined,
  });
}

/** The job is accepted, so the caller gets its id. The outcome is only for a credential that is still valid. */
function unlessCredentialEnded(error: unknown): undefined {
  if (error instanceof AppError && error.status === 401) return undefined;
  throw error;
}
