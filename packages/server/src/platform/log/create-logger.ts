import { type DestinationStream, type Logger, pino } from 'pino';

import { createLogOutput } from './log-output.ts';

export type { Logger };

export const STANDARD_OUTPUT = 1;

/** Fields that are never logged, one or two levels deep. */
const SECRET_FIELDS = [
  'authorization',
  'cookie',
  'password',
  'token',
  'access_token',
  'api_key',
  'plaintext_key',
  'x-api-key',
  'set-cookie',
];

/** All headers of a request with a form, which @fastify/multipart logs at `trace`. */
const FORM_HEADERS = 'busboyOptions.headers';

/** Logs JSON lines, to standard output by default. */
export function createLogger(
  level: string,
  destination: DestinationStream = createLogOutput(STANDARD_OUTPUT),
): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: {
        paths: [...SECRET_FIELDS.flatMap((field) => [`["${field}"]`, `*["${field}"]`]), FORM_HEADERS],
        censor: '[secret]',
      },
    },
    destination,
  );
}
