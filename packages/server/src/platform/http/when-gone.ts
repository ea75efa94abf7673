import type { FastifyReply } from 'fastify';

import { AppError } from '../errors/app-error.ts';

export function whenGone(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort(new AppError('request.timeout', 'The caller hung up.')));
  return gone.signal;
}
