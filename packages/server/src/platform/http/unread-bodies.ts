import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

import { holdsBodyBack } from './expect-continue.ts';

/** So much is on its way anyhow; reading it is cheaper than a new connection. */
const SMALL_BYTES = 64 * 1024;
const LINGER_MS = 5000;
const LINGER_BYTES = 1024 * 1024;

const answeredForGood = new WeakSet<Socket>();

/** What comes in over this connection now belongs to a request that has its answer. */
export function isAnsweredForGood(socket: Socket): boolean {
  return answeredForGood.has(socket);
}

/** Whether an answer given now leaves a body behind that is not worth reading to its end. */
export function leavesBodyUnread(request: IncomingMessage): boolean {
  if (request.complete) return false;
  // It may come all the same, or never: only on a new connection is it clear what begins the next request.
  if (holdsBodyBack(request)) return true;
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  return encoding !== undefined || Number(length ?? 0) > SMALL_BYTES;
}

/**
 * The answer at once, and its end only when the sender has stopped or a moment has passed. Closing at once would
 * reset the connection while bytes still come in, and many senders then never see the answer. Beyond some bytes
 * nothing more is taken, so that the sender is held back instead.
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
