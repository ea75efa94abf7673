import { Readable } from 'node:stream';
import type { ErrorCode } from '@atelier/contracts';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';

import { AppError } from '../errors/app-error.ts';
import { outageOf } from '../errors/outages.ts';
import { type ErrorShape, renderError, shapeOfPath } from './error-shapes.ts';
import { answerThenLinger, leavesBodyUnread } from './unread-bodies.ts';

const MAX_SHOWN_PROBLEMS = 5;

const FRAMEWORK_ERRORS: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ['request.too_large', 'The request body is larger than this route accepts.'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [
    'request.media_type',
    'This route does not accept that content type. Send JSON with "Content-Type: application/json".',
  ],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [
    'request.malformed',
    'The body does not have the length that Content-Length announces.',
  ],
  FST_ERR_CTP_INVALID_JSON_BODY: ['request.malformed', 'The body is not valid JSON.'],
  FST_ERR_BAD_URL: ['request.malformed', 'The path contains a percent sign that encodes nothing.'],
  FST_ERR_MAX_PARAM_LENGTH: ['request.invalid', 'A part of the path is longer than any name here may be.'],
};

/** Other refusals of the framework. A status that is not listed becomes `request.invalid`. */
const REFUSED: Readonly<Record<number, ErrorCode>> = {
  400: 'request.malformed',
  401: 'auth.required',
  403: 'auth.forbidden',
  404: 'route.unknown',
  408: 'request.timeout',
  412: 'resource.precondition',
  413: 'request.too_large',
  415: 'request.media_type',
  416: 'request.range',
  417: 'request.expectation',
  431: 'request.headers_too_large',
};

/** Turns anything thrown into an `AppError`. A bug becomes `internal`, whose message has only the request's id. */
export function toAppError(error: unknown, requestId: string): AppError {
  if (error instanceof AppError) return error;
  const outage = outageOf(error);
  // A disk may also be full while a body is read. Other outages then mean a broken connection of the caller.
  if (outage?.code === 'server.disk_full') return outage;
  const failure = (error ?? {}) as Partial<FastifyError>;
  if (failure.validation) return invalidRequest(failure as FastifyError);
  const known = FRAMEWORK_ERRORS[failure.code ?? ''];
  if (known) return new AppError(known[0], known[1], { cause: error });
  const status = failure.statusCode ?? 500;
  // The framework sets 400 on anything that fails while it reads the body, such as the connection.
  if (status === 400 || (status > 400 && status < 500 && isOfFramework(failure))) {
    const message = failure.message || 'The request cannot be served as it is.';
    return new AppError(REFUSED[status] ?? 'request.invalid', message, { cause: error });
  }
  if (outage) return outage;
  const message = `Something failed inside the server. The log has it under id ${requestId}.`;
  return new AppError('internal', message, { cause: error });
}

/** Errors of other libraries may have the status of another server, which is not the caller's fault. */
function isOfFramework({ code, expose }: Partial<FastifyError> & { expose?: unknown }): boolean {
  return code?.startsWith('FST_') === true || expose === true;
}

export function handleError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const failure = toAppError(error, request.id);
  if (failure.status >= 500) {
    request.log.error({ requestId: request.id, code: failure.code, err: error }, 'request failed');
  }
  return sendError(failure, request, reply);
}

export function unknownRoute(request: FastifyRequest): AppError {
  const path = request.url.split('?', 1)[0] ?? '';
  return new AppError('route.unknown', `There is no ${request.method} ${path}.`);
}

function sendError(failure: AppError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  // The framework may fail before the hook that sets it.
  reply.header('x-request-id', request.id);
  if (failure.retryAfterSeconds !== undefined) reply.header('retry-after', failure.retryAfterSeconds);
  if (failure.status === 405) reply.header('allow', 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS');
  if (failure.status === 401) reply.header('www-authenticate', 'Bearer');
  reply.removeHeader('content-disposition').removeHeader('etag').removeHeader('cache-control');
  reply.code(failure.status).type('application/json; charset=utf-8');
  const body = renderError(failure, shapeFor(request, failure.status));
  if (!leavesBodyUnread(request.raw)) return reply.send(body);
  const text = JSON.stringify(body);
  return reply
    .headers({ connection: 'close', 'content-length': Buffer.byteLength(text) })
    .send(Readable.from(answerThenLinger(text, request.raw), { objectMode: false }));
}

function shapeFor(request: FastifyRequest, status: number): ErrorShape {
  const configured = request.routeOptions?.config?.errorShape;
  if (typeof configured === 'string') return configured;
  return configured?.[status] ?? shapeOfPath(request.url.split('?', 1)[0] ?? '');
}

const PARTS: Readonly<Record<string, string>> = {
  body: 'body',
  querystring: 'query',
  params: 'path',
  headers: 'header',
};

function invalidRequest({ validation, validationContext }: FastifyError): AppError {
  const part = PARTS[validationContext ?? ''] ?? 'request';
  const problems = withoutBranches(validation ?? []).map((problem) => {
    const path = problem.instancePath.slice(1).replaceAll('/', '.') || part;
    const expects = SAID_BY_SCHEMA.has(problem.keyword) ? expectsOf(problem) : undefined;
    if (expects !== undefined) return `${path} must be ${expects}`;
    const allowed = problem.params?.['allowedValues'];
    const hint = Array.isArray(allowed) ? `: ${allowed.join(', ')}` : '';
    return `${path} ${problem.message ?? 'is not valid'}${hint}`;
  });
  const details = [...new Set(problems)].slice(0, MAX_SHOWN_PROBLEMS);
  return new AppError('request.invalid', `The ${part} is not valid:`, { details });
}

type Problem = NonNullable<FastifyError['validation']>[number];

/** Keywords whose messages repeat the schema instead of explaining it. */
const SAID_BY_SCHEMA = new Set(['pattern', 'anyOf', 'not']);

function expectsOf(problem: Problem): string | undefined {
  const { parentSchema } = problem as { parentSchema?: { expects?: unknown } };
  return typeof parentSchema?.expects === 'string' ? parentSchema.expects : undefined;
}

/** For an `anyOf`, either its `expects` is shown or the problems of its branches. */
function withoutBranches(problems: readonly Problem[]): readonly Problem[] {
  const told = problems.filter((one) => one.keyword === 'anyOf' && expectsOf(one) !== undefined);
  const isBranch = (one: Problem): boolean =>
    told.some((choice) => one !== choice && isAtOrBelow(one.instancePath, choice.instancePath));
  const left = problems.filter((one) => !isBranch(one));
  const plain = left.filter((one) => one.keyword !== 'anyOf' || told.includes(one));
  return plain.length > 0 ? plain : left;
}

function isAtOrBelow(path: string, ancestor: string): boolean {
  return path === ancestor || path.startsWith(`${ancestor}/`);
}
