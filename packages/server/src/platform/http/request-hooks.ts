import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { AppError } from '../errors/app-error.ts';
import type { Logger } from '../log/create-logger.ts';
import type { Metrics } from '../metrics/create-metrics.ts';
import type { Actor } from './actor.ts';
import { unknownRoute } from './error-handler.ts';
import { isLocalCaller } from './local-caller.ts';
import type { App } from './route-config.ts';

interface Parts {
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly authenticate: (request: FastifyRequest) => Promise<Actor>;
  /** The caller of a route that is open to everybody, when it says who it is. */
  readonly identify: (request: FastifyRequest) => Promise<Actor | undefined>;
  readonly shouldUpgrade: (request: IncomingMessage) => boolean;
  /** What is answered to a request for new work instead of doing it. */
  readonly refusal: () => Promise<AppError | undefined>;
}

/** Every answer names its request, whoever gives it. Comes before everything else. */
export function nameRequests(app: App): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    if (request.url.startsWith('/api/v2/')) reply.header('x-comfy-request-id', request.id);
    done();
  });
}

/**
 * What happens to every request before its body is read and after its answer. These run on the way of each one,
 * so they are plain callbacks: a promise is made only where there is something to wait for.
 */
export function addRequestHooks(app: App, parts: Parts): void {
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
      // 401 comes before anything that is wrong with the body.
      done(unreadable(request));
      return undefined;
    }, done);
  });

  // Before the body is read, so that nothing of it is written.
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.routeOptions.config?.needsSpace !== true) done();
    else refusal().then(done, done);
  });

  // These lines have no secrets, and looking for some costs five times what writing them does.
  const lines = log.child({}, { redact: [] });
  const logsReads = log.isLevelEnabled('debug');
  app.addHook('onResponse', (request, reply, done) => {
    const operation = request.routeOptions.config?.operation ?? 'unknown';
    metrics.observeRequest(operation, reply.statusCode, reply.elapsedTime / 1000);
    const isRead = request.method === 'GET' && reply.statusCode < 400;
    if (!isRead) lines.info(lineOf(request, reply, operation), 'request');
    else if (logsReads) lines.debug(lineOf(request, reply, operation), 'request');
    // A refused upgrade has left the server's own connections: nobody else closes it.
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

/** What no route could make sense of. */
function unreadable(request: FastifyRequest): AppError | undefined {
  if (request.headers.host === undefined && request.raw.httpVersion === '1.1') {
    return new AppError('request.malformed', 'The request has no Host header.');
  }
  const encoding = request.headers['content-encoding'];
  if (encoding === undefined || encoding === 'identity') return undefined;
  return new AppError('request.media_type', `Send the body as it is, without Content-Encoding ${encoding}.`);
}
