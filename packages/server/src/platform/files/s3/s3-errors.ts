import { isObject } from '@atelier/contracts/is-object';

import { AppError } from '../../errors/app-error.ts';

/** Broken connections, as Node and the SDK name them. */
const GONE =
  /^(?:ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|ERR_STREAM_PREMATURE_CLOSE|TimeoutError|NetworkingError)$/;
/** Answers that pass. Two puts of one object at the same time may get the last one. */
const PASSING = new Set([429, 500, 502, 503, 504]);
const CONFLICT = 409;

export function statusOf(error: unknown): number | undefined {
  const metadata = isObject(error) ? error['$metadata'] : undefined;
  const status = isObject(metadata) ? metadata['httpStatusCode'] : undefined;
  return typeof status === 'number' ? status : undefined;
}

export function isMissing(error: unknown): boolean {
  return statusOf(error) === 404 && nameOf(error) !== 'NoSuchBucket';
}

export function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : '';
}

/** Whether the same request may succeed later. */
export function mayPass(error: unknown): boolean {
  if (error instanceof AppError) return error.code === 'server.file_store';
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const status = statusOf(error);
  return (
    (status !== undefined && (PASSING.has(status) || status === CONFLICT)) ||
    GONE.test(code) ||
    GONE.test(nameOf(error)) ||
    (error instanceof Error && error.message === 'aborted')
  );
}

/** Does the work, and names an outage of the store as one. */
export async function orOutage<T>(work: Promise<T>, signal?: AbortSignal): Promise<T> {
  try {
    return await work;
  } catch (error) {
    signal?.throwIfAborted();
    throw toOutage(error);
  }
}

export function toOutage(error: unknown): unknown {
  if (error instanceof AppError) return error;
  // Without the caller's signal, it was the deadline.
  const isLate = nameOf(error) === 'AbortError';
  if (!mayPass(error) && !isLate) return error;
  return new AppError('server.file_store', 'The file store does not answer now. Try again.', {
    retryAfterSeconds: 5,
    cause: error,
  });
}
