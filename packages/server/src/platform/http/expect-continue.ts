import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { preParsingHookHandler, RouteOptions } from 'fastify';

import { AppError } from '../errors/app-error.ts';

const WITH_BODY = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

const waiting = new WeakSet<IncomingMessage>();

/** Whether the caller still waits for `100 Continue` before it sends its body. */
export function holdsBodyBack(request: IncomingMessage): boolean {
  return waiting.has(request);
}

/** `100 Continue` is sent only when the route, the credential and the announced size have been checked. */
export function answerExpectContinue(server: Server): void {
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    if (WITH_BODY.has(request.method ?? '')) waiting.add(request);
    else response.writeContinue();
    server.emit('request', request, response);
  });
}

/** Added to every route that may have a body. */
export function askForBody(route: RouteOptions): void {
  if (![route.method].flat().some((method) => WITH_BODY.has(method.toUpperCase()))) return;
  route.preParsing = [route.preParsing ?? [], goOn].flat();
}

const goOn: preParsingHookHandler = (request, reply, payload, done) => {
  if (waiting.has(request.raw)) {
    if (Number(request.headers['content-length'] ?? 0) > (request.routeOptions.bodyLimit ?? 0)) {
      done(new AppError('request.too_large', 'The request body is larger than this route accepts.'));
      return;
    }
    waiting.delete(request.raw);
    reply.raw.writeContinue();
  }
  done(null, payload);
};
