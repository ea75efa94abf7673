import type { FastifyRequest } from 'fastify';

import { AppError } from '../../platform/errors/app-error.ts';

/** Whether a browser says that a page of this server, at whatever address it was reached, has made the request. */
export function isOwnPage(
  { headers: { origin = '' }, host }: FastifyRequest,
  publicUrl: string | undefined,
): boolean {
  return origin === publicUrl || (URL.canParse(origin) && new URL(origin).host === host);
}

/** For forms: pages of other sites can send them, but not forge where they come from. */
export function requireOwnPage(request: FastifyRequest, publicUrl: string | undefined): void {
  if (isOwnPage(request, publicUrl)) return;
  throw new AppError('auth.origin', 'This form must be sent from its page on this server (Origin header).');
}
