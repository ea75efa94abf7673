import type { FastifyRequest } from 'fastify';

/** A caller on this machine, but not a proxy with a remote caller or a browser with a page of another site. */
export function isLocalCaller(request: FastifyRequest): boolean {
  const { headers } = request;
  if (headers['x-forwarded-for'] !== undefined || headers['forwarded'] !== undefined) return false;
  if (headers.origin !== undefined || headers['sec-fetch-site'] === 'cross-site') return false;
  return /^(127\.|::1$|::ffff:127\.)/.test(request.socket.remoteAddress ?? '');
}
