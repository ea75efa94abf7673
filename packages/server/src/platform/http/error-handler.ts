import type { ErrorCode } from '@atelier/contracts';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';

import { AppError } from '../errors/app-error.ts';
import { type ErrorShape, renderError, shapeOfPath } from './error-shapes.ts';

const SHOWN_PROBLEMS = 5;

/** Refused or broken connections, and PostgreSQL's own words for starting and stopping. */
const DATABASE_GONE = /^(?:ECONNREFUSED|ECONNRESET|EPIPE|57P0[123]|08\w{3})$/;
const POOL_TIMEOUT = 'timeout exceeded when trying to connect';

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
};

/** Turns whatever was thrown into an AppError. What is not understood becomes `internal` and says only its id. */
export function toAppError(error: unknown, requestId: string): AppError {
  if (error instanceof AppError) return error;
  const failure = error as Partial<FastifyError>;
  if (failure.validation) return invalidRequest(failure as FastifyError);
  const known = FRAMEWORK_ERRORS[failure.code ?? ''];
  if (known) return new AppError(known[0], known[1], { cause: error });
  if (failure.statusCode === 400) {
    return new AppError('request.malformed', failure.message ?? 'The request is malformed.', {
      cause: error,
    });
  }
  if (DATABASE_GONE.test(failure.code ?? '') || failure.message === POOL_TIMEOUT) {
    return new AppError('server.database', 'The database does not answer now. Try again.', {
      retryAfterSeconds: 5,
      cause: error,
    });
  }
  return new AppError(
    'internal',
    `Something failed inside the server. The log has it under id ${requestId}.`,
    {
      cause: error,
    },
  );
}

export function handleError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const failure = toAppError(error, request.id);
  if (failure.status >= 500) request.log.error({ requestId: request.id, err: error }, 'request failed');
  return sendError(failure, request, reply);
}

export function unknownRoute(request: FastifyRequest): AppError {
  const path = request.url.split('?', 1)[0] ?? '';
  return new AppError('route.unknown', `There is no ${request.method} ${path}.`);
}

function sendError(failure: AppError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  // Framework errors come before the hook that sets it.
  reply.header('x-request-id', request.id);
  if (failure.retryAfterSeconds !== undefined) reply.header('retry-after', failure.retryAfterSeconds);
  if (failure.status === 401) reply.header('www-authenticate', 'Bearer');
  reply.removeHeader('content-disposition').removeHeader('etag').removeHeader('cache-control');
  return reply
    .code(failure.status)
    .type('application/json; charset=utf-8')
    .send(renderError(failure, shapeFor(request, failure.status)));
}

function shapeFor(request: FastifyRequest, status: number): ErrorShape {
  const configured = request.routeOptions?.config?.errorShape;
  if (typeof configured === 'string') return configured;
  return configured?.[status] ?? shapeOfPath(request.url.split('?', 1)[0] ?? '');
}

function invalidRequest({ validation, validationContext }: FastifyError): AppError {
  const part = validationContext === 'querystring' ? 'query' : (validationContext ?? 'request');
  const problems = (validation ?? []).slice(0, SHOWN_PROBLEMS).map((problem) => {
    const path = problem.instancePath.slice(1).replaceAll('/', '.');
    const allowed = problem.params?.['allowedValues'];
    const hint = Array.isArray(allowed) ? `: ${allowed.join(', ')}` : '';
    return `${path || part} ${problem.message ?? 'is not valid'}${hint}`;
  });
  return new AppError('request.invalid', `The ${part} is not valid:`, { details: problems });
}
