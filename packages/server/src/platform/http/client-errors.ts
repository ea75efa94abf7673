import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ErrorCode } from '@atelier/contracts';

import { AppError } from '../errors/app-error.ts';
import { newId } from '../ids.ts';
import { renderError } from './error-shapes.ts';
import { isAnsweredForGood } from './unread-bodies.ts';

const BY_CODE: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  HPE_HEADER_OVERFLOW: ['request.headers_too_large', 'The request headers are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['request.timeout', 'The request took too long to arrive.'],
};

/** Answers what is not an HTTP request, when there is only a socket. */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable || isAnsweredForGood(socket)) {
    socket.destroy();
    return;
  }
  const [code, message] = BY_CODE[error.code ?? ''] ?? ['request.malformed', 'This is not an HTTP request.'];
  const failure = new AppError(code, message);
  const body = JSON.stringify(renderError(failure, 'error'));
  socket.end(
    `HTTP/1.1 ${failure.status} Refused\r\nX-Request-Id: ${newId()}\r\nConnection: close\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

/** Answers any `Expect` header but `100-continue`. */
export function refuseExpectation(_request: IncomingMessage, response: ServerResponse): void {
  const failure = new AppError('request.expectation', 'Only "Expect: 100-continue" is understood.');
  const body = JSON.stringify(renderError(failure, 'error'));
  response
    .writeHead(failure.status, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      'x-request-id': newId(),
    })
    .end(body);
}
