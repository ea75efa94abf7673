import { isObject } from '@atelier/contracts/is-object';

import { AppError } from '../../errors/app-error.ts';
import { errorCode } from '../../errors/error-code.ts';

/** Broken connections, as Node and the SDK name them. */
const GONE =
  /^(?:ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|ERR_STREAM_PREMATURE_CLOSE|TimeoutError|NetworkingError)$/;
/** Temporary failures. Concurrent puts of one object may get the 409. */
const PASSING = new Set([429, 500, 502, 503, 504]);
const CONFLICT = 409;

/** Refusals of any request: another region, no rights, no payment, no room. */
const REFUSING = new Set([301, 307, 401, 402, 403, 507]);
/** The same with another status, such as 400 for a quota of MinIO, or without one. */
const REFUSALS =
  /^(?:NoSuchBucket|AuthorizationHeaderMalformed|IllegalLocationConstraintException|RequestTimeTooSkewed|ExpiredToken|InvalidToken|TokenRefreshRequired|CredentialsProviderError|KMS\..*|.*Quota.*|.*StorageFull|InsufficientStorage.*)$/;
/** An archived object, which is no refusal of other requests. */
const OF_ONE_OBJECT = 'InvalidObjectState';

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

/** The name of a refusal that concerns all requests and needs an operator, such as `QuotaExceeded`. */
export function refusalOf(error: unknown): string | undefined {
  if (error instanceof AppError)
    return error.code === 'server.file_store' ? refusalOf(error.cause) : undefined;
  const name = nameOf(error);
  const status = statusOf(error);
  const isRefusing = status !== undefined && REFUSING.has(status) && name !== OF_ONE_OBJECT;
  if (!isRefusing && !REFUSALS.test(name)) return undefined;
  // An answer to HEAD has no body with the name.
  return /^[A-Z][\w.]{2,63}$/.test(name) && !name.startsWith('Unknown') ? name : String(status ?? name);
}

/** Whether the request may succeed when repeated. */
export function mayPass(error: unknown): boolean {
  if (error instanceof AppError) return error.code === 'server.file_store' && refusalOf(error) === undefined;
  const status = statusOf(error);
  return (
    (status !== undefined && (PASSING.has(status) || status === CONFLICT)) ||
    GONE.test(errorCode(error)) ||
    GONE.test(nameOf(error)) ||
    (error instanceof Error && error.message === 'aborted')
  );
}

/** Converts outages and refusals of the store with `toOutage`. */
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
  const refusal = refusalOf(error);
  if (refusal !== undefined)
    return unusable(`The file store refuses requests now (${refusal}). Try again later.`, error);
  // An abort without the caller's signal was the deadline.
  const isLate = nameOf(error) === 'AbortError';
  if (!mayPass(error) && !isLate) return error;
  return unusable('The file store does not answer now. Try again.', error);
}

function unusable(message: string, cause: unknown): AppError {
  return new AppError('server.file_store', message, { retryAfterSeconds: 5, cause });
}
