import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { AppError } from '../errors/app-error.ts';
import type { Logger } from '../log/create-logger.ts';
import type { Metrics } from '../metrics/create-metrics.ts';
import type { Actor } from './actor.ts';
import { unknownRoute } from './error-handler.ts';
import { isLocalCaller } from './local-caller.ts';
import type { App } from './route-config.ts';

export interface HookParts {
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly authenticate: (request: FastifyRequest) => Promise<Actor>;
  /** The caller of an `optional` route, if the request has a valid credential. */
  readonly identify: (request: FastifyRequest) => Promise<Actor | undefined>;
  /** Whether a route will answer a request with an `Upgrade` header with another protocol. */
  readonly shouldUpgrade: (request: IncomingMessage) => boolean;
  /** The error to answer new work with, if it has to be refused. */
  readonly refusal: () => Promise<AppError | undefined>;
}

/** Comes first, so that every answer has the id of its request. */
export function nameRequests(app: App): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    if (request.url.startsWith('/api/v2/')) reply.header('x-comfy-request-id', request.id);
    done();
  });
}

/** The hooks of every request. They are callbacks, because promises would slow down requests that wait for nothing. */
export function addRequestHooks(app: App, parts: HookParts): void {
  const { log, metrics, authenticate, identify, shouldUpgrade, refusal } = parts;
  const findCaller = (request: FastifyRequest): Promise<Actor | undefined> | undefined => {
    const access = request.routeOptions.config?.access ?? 'public';
    if (access === 'public' || (access === 'local' && isLocalCaller(request))) return undefined;
    return access === 'optional' ? identify(request) : authenticate(request);
  };

  app.addHook('onRequest', (request, _reply, done) => {
    if (request.is404 || request.url.includes('%00')) {
      done(nowhere(request));
      return;
    }
    const caller = findCaller(request);
    if (!caller) {
      done(unreadable(request));
      return;
    }
    caller.then((actor) => {
      request.actor = actor;
      // After the credential, because 401 takes precedence.
      done(unreadable(request));
      return undefined;
    }, done);
  });

  // Before the body is read and written.
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.routeOptions.config?.needsSpace !== true) done();
    else refusal().then(done, done);
  });

  // These lines have no secrets, and redaction costs five times as much as writing them.
  const lines = log.child({}, { redact: [] });
  const logsReads = log.isLevelEnabled('debug');
  app.addHook('onResponse', (request, reply, done) => {
    const operation = request.routeOptions.config?.operation ?? 'unknown';
    metrics.observeRequest(operation, reply.statusCode, reply.elapsedTime / 1000);
    const isRead = request.method === 'GET' && reply.statusCode < 400;
    if (!isRead) lines.info(lineOf(request, reply, operation), 'request');
    else if (logsReads) lines.debug(lineOf(request, reply, operation), 'request');
    // The server no longer closes the connection of a refused upgrade.
    if (shouldUpgrade(request.raw)) request.raw.socket.destroySoon();
    done();
  });
}

function lineOf(request: FastifyRequest, reply: FastifyReply, operation: string) {
  return {
    requestId: request.id,
    operation,
    status: reply.statusCode,
    ms: Math.round(reply.elapsedTime * 10) / 10,
    userId: request.actor?.userId,
  };
}

function nowhere(request: FastifyRequest): AppError {
  if (request.method === 'TRACE') return new AppError('request.method', 'TRACE is not allowed.');
  if (!request.url.includes('%00')) return unknownRoute(request);
  return new AppError('request.malformed', 'The address contains a NUL character.');
}

/** Refuses what no route can read. */
function unreadable(request: FastifyRequest): AppError | undefined {
  if (request.headers.host === undefined && request.raw.httpVersion === '1.1') {
    return new AppError('request.malformed', 'The request has no Host header.');
  }
  const encoding = request.headers['content-encoding'];
  if (encoding === undefined || encoding === 'identity') return undefined;
  return new AppError('request.media_type', `Send the body as it is, without Content-Encoding ${encoding}.`);
}
