import { createHash } from 'node:crypto';

/** Longer ones are not names that a resolver knows. */
const MAX_HOST_LENGTH = 260;

/** The receiver that a URL of an account belongs to. */
export function endpointOf(userId: string, url: URL) {
  // What a query adds is the same receiver.
  const place = `${url.origin}${url.pathname}`;
  const id = createHash('sha256').update(`${userId}\n${place}`).digest('base64url').slice(0, 22);
  return { id, url: place, host: url.host.slice(0, MAX_HOST_LENGTH) };
}
