import { setTimeout as delay } from 'node:timers/promises';
import type { ErrorCode } from '@atelier/contracts';

import { AppError } from './app-error.ts';

/** Refused or broken connections, and PostgreSQL's codes for starting, stopping and too many connections. */
const DATABASE_GONE_CODES =
  /^(?:ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|57P0[123]|53300|25P03|08\w{3})$/;
/** Errors of the driver that have no code. */
const DATABASE_GONE_MESSAGES =
  /^(?:timeout exceeded when trying to connect|Query read timeout|Connection terminated|Client (?:has encountered a connection error|was closed))/;

const DISK_FULL_CODES = /^(?:ENOSPC|EDQUOT|53100)$/;
/** Errors without a code: of libvips, SQLite, and PostgreSQL while it begins a connection. */
const DISK_FULL_MESSAGES =
  /no space left on device|disk quota exceeded|database or disk is full|^could not write init file$/i;

/** Shown to callers of the API and owners of jobs. */
export const DISK_FULL =
  'The disk of the server is full, so this could not be saved. Try again later; its operator has to make room.';

const OUTAGES: readonly ErrorCode[] = ['server.database', 'server.file_store', 'server.disk_full'];

/** The `AppError` for an outage of the database, the file store or the disk; `undefined` for any other error. */
export function outageOf(error: unknown): AppError | undefined {
  if (error instanceof AppError) return OUTAGES.includes(error.code) ? error : undefined;
  if (!(error instanceof Error)) return undefined;
  const code = 'code' in error ? String(error.code) : '';
  if (DISK_FULL_CODES.test(code) || DISK_FULL_MESSAGES.test(error.message)) {
    return new AppError('server.disk_full', DISK_FULL, { retryAfterSeconds: 60, cause: error });
  }
  if (DATABASE_GONE_CODES.test(code) || DATABASE_GONE_MESSAGES.test(error.message)) {
    return databaseGone(error);
  }
  return undefined;
}

export function databaseGone(cause?: unknown): AppError {
  return new AppError('server.database', 'The database does not answer now. Try again.', {
    retryAfterSeconds: 5,
    cause,
  });
}

export function isDiskFull(error: unknown): boolean {
  return outageOf(error)?.code === 'server.disk_full';
}

const RETRY_MS = 250;

interface OutageOptions {
  readonly signal: AbortSignal;
  /** Called for the first failure only. */
  readonly onError: (error: unknown) => void;
  /** Outages to wait for; all by default. */
  readonly outages?: readonly ErrorCode[];
}

/**
 * Repeats `work` until the outage is over, or throws the last failure when `signal` aborts. `work` may be done twice, because
 * an outage can hide its success.
 */
export async function throughOutages<T>(
  work: () => Promise<T>,
  { signal, onError, outages = OUTAGES }: OutageOptions,
): Promise<T> {
  let isTold = false;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const code = outageOf(error)?.code;
      if (signal.aborted || code === undefined || !outages.includes(code)) throw error;
      if (!isTold) onError(error);
      isTold = true;
      await delay(RETRY_MS, undefined, { signal }).catch(() => {});
    }
  }
}
