import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

import { holdsBodyBack } from './expect-continue.ts';

/** This much is on its way anyway; reading it is cheaper than a new connection. */
const SMALL_BYTES = 64 * 1024;
const LINGER_MS = 5000;
const LINGER_BYTES = 1024 * 1024;

const answeredForGood = new WeakSet<Socket>();

/** Whether what still arrives over this connection belongs to a request that was answered. */
export function isAnsweredForGood(socket: Socket): boolean {
  return answeredForGood.has(socket);
}

/** Whether the rest of the body is not worth reading. */
export function leavesBodyUnread(request: IncomingMessage): boolean {
  if (request.complete) return false;
  // The caller may send it or not, so the next request needs a new connection.
  if (holdsBodyBack(request)) return true;
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  return encoding !== undefined || Number(length ?? 0) > SMALL_BYTES;
}

/**
 * Sends the answer at once, and ends it when the sender has stopped or after `LINGER_MS`. Closing at once would reset the
 * connection while bytes still arrive, and many senders would never see the answer. After `LINGER_BYTES` nothing more is
 * read, which stops the sender.
 */
export async function* answerThenLinger(body: string, request: IncomingMessage): AsyncGenerator<string> {
  answeredForGood.add(request.socket);
  yield body;
  const over = Promise.withResolvers<void>();
  const timer = setTimeout(over.resolve, LINGER_MS);
  let left = LINGER_BYTES;
  request.on('data', (chunk: Uint8Array) => {
    left -= chunk.length;
    if (left < 0) request.pause();
  });
  request.resume();
  request.once('close', over.resolve);
  if (request.destroyed) over.resolve();
  await over.promise;
  clearTimeout(timer);
}
