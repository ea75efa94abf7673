import type { FastifyReply } from 'fastify';

import { AppError } from '../errors/app-error.ts';

/** A signal that aborts when the client disconnects. */
export function abortOnDisconnect(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once('close', () => controller.abort(new AppError('request.timeout', 'The caller hung up.')));
  return controller.signal;
}
