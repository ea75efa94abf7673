import { setTimeout as delay } from 'node:timers/promises';

import { AppError } from './app-error.ts';

/** Refused or broken connections, and PostgreSQL's own words for starting, stopping and having too many connections. */
const DATABASE_GONE_CODES =
  /^(?:ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|57P0[123]|53300|25P03|08\w{3})$/;
/** What the driver says without a code. */
const DATABASE_GONE_MESSAGES =
  /^(?:timeout exceeded when trying to connect|Connection terminated|Client (?:has encountered a connection error|was closed))/;

/** The machine's own trouble as an error with a code, which passes by itself or with an operator's help; `undefined` for anything else. */
export function outageOf(error: unknown): AppError | undefined {
  if (error instanceof AppError) return error.code === 'server.database' ? error : undefined;
  if (!(error instanceof Error)) return undefined;
  const code = 'code' in error ? String(error.code) : '';
  if (DATABASE_GONE_CODES.test(code) || DATABASE_GONE_MESSAGES.test(error.message)) {
    return new AppError('server.database', 'The database does not answer now. Try again.', {
      retryAfterSeconds: 5,
      cause: error,
    });
  }
  return undefined;
}

const RETRY_MS = 250;

/**
 * Does `work` again until the database answers, or `signal` ends the wait with the last failure. For what must not be done from the start
 * because of it. The work may have been done once when only its answer was lost.
 */
export async function throughOutages<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (signal.aborted || !outageOf(error)) throw error;
      await delay(RETRY_MS, undefined, { signal }).catch(() => {});
    }
  }
}
