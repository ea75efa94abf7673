import type { FastifyRequest } from 'fastify';

/**
 * A caller on this machine. A proxy on this machine speaks for somebody else and says so in a header, and so does
 * a browser that a page of another site makes ask.
 */
export function isLocalCaller(request: FastifyRequest): boolean {
  const { headers } = request;
  if (headers['x-forwarded-for'] !== undefined || headers['forwarded'] !== undefined) return false;
  if (headers.origin !== undefined || headers['sec-fetch-site'] === 'cross-site') return false;
  return /^(127\.|::1$|::ffff:127\.)/.test(request.socket.remoteAddress ?? '');
}
