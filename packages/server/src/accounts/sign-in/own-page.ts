import type { FastifyRequest } from 'fastify';

import { AppError } from '../../platform/errors/app-error.ts';

export function ownUrl({ protocol, host }: FastifyRequest, publicUrl: string | undefined): string {
  return publicUrl ?? `${protocol}://${host}`;
}

/** Whether a page of this server, at whatever address, has made the request. */
export function isOwnPage({ headers: { origin = '' }, host }: FastifyRequest, publicUrl: string | undefined) {
  return origin === publicUrl || (URL.canParse(origin) && new URL(origin).host === host);
}

/** Pages of other sites can send forms, but cannot forge the origin. */
export function requireOwnPage(request: FastifyRequest, publicUrl: string | undefined): void {
  if (isOwnPage(request, publicUrl)) return;
  throw new AppError('auth.origin', 'This form must be sent from its page on this server (Origin header).');
}
