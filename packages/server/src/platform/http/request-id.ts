import type { IncomingMessage } from 'node:http';

import { newId } from '../ids.ts';

/** A caller's own id is kept when it is harmless in a log. */
export function requestId({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && /^[\w.-]{8,64}$/.test(given) ? given : newId();
}
