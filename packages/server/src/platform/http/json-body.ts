import type { FastifyRequest } from 'fastify';

import { AppError } from '../errors/app-error.ts';
import type { App } from './route-config.ts';

const NUL_ESCAPE = '\\u0000';

/** JSON bodies: UTF-8 only, no prototype tricks, no NUL characters (PostgreSQL cannot store them). */
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
      if (error) done(malformed('The body is not valid JSON.', error));
      else if (text.includes(NUL_ESCAPE) && holdsNul(value))
        done(malformed('The body contains a NUL character.'));
      else done(null, value);
    });
  });
}

function requireUtf8(request: FastifyRequest): void {
  const charset = /charset="?([\w-]+)/i.exec(request.headers['content-type'] ?? '')?.[1]?.toLowerCase();
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8' && charset !== 'us-ascii') {
    throw new AppError('request.media_type', `JSON must be UTF-8, not ${charset}.`);
  }
}

function holdsNul(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0');
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, member]) => key.includes('\0') || holdsNul(member));
}

function malformed(message: string, cause?: unknown): AppError {
  return new AppError('request.malformed', message, { cause });
}
