import type { FastifyRequest } from 'fastify';

import { AppError } from '../errors/app-error.ts';
import type { App } from './route-config.ts';

/** Escapes of NUL and of halves of a character: most bodies have none and need no second look. */
const SUSPICIOUS = /\\u(?:0000|d[89a-f])/i;

const FORBIDDEN_KEY =
  'The body has the key "__proto__", or "prototype" within "constructor", which no field here may have.';

/** JSON bodies: UTF-8 only, no prototype tricks, no characters that cannot be stored. */
export function acceptJsonBodies(app: App): void {
  const parseSafely = app.getDefaultJsonParser('error', 'error');
  const decoder = new TextDecoder('utf-8', { fatal: true });

  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    let text: string;
    try {
      requireUtf8(request);
      text = decoder.decode(body as Buffer);
    } catch (error) {
      done(error instanceof AppError ? error : malformed('The body is not valid UTF-8.'));
      return;
    }
    // Many clients announce JSON on every request, also when there is nothing to send.
    if (text === '') {
      done(null, undefined);
      return;
    }
    void parseSafely(request, text, (error, value) => {
      if (error) done(malformed(isJson(text) ? FORBIDDEN_KEY : 'The body is not valid JSON.', error));
      else if (SUSPICIOUS.test(text) && !isText(value))
        done(malformed('The body contains a NUL or half a character, which cannot be stored.'));
      else done(null, value);
    });
  });
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function requireUtf8(request: FastifyRequest): void {
  const charset = /charset="?([\w-]+)/i.exec(request.headers['content-type'] ?? '')?.[1]?.toLowerCase();
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8' && charset !== 'us-ascii') {
    throw new AppError('request.media_type', `JSON must be UTF-8, not ${charset}.`);
  }
}

/** PostgreSQL stores no NUL, and UTF-8 has no halves of surrogate pairs. */
function isText(value: unknown): boolean {
  if (typeof value === 'string') return !value.includes('\0') && value.isWellFormed();
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([key, member]) => isText(key) && isText(member));
}

function malformed(message: string, cause?: unknown): AppError {
  return new AppError('request.malformed', message, { cause });
}
