import { ERROR_CODES, type ErrorCode } from '@atelier/contracts';

interface AppErrorOptions {
  /** Shown to the caller: never a secret, a path on disk or another user's id. */
  readonly details?: readonly string[];
  readonly retryAfterSeconds?: number;
  readonly cause?: unknown;
}

/** An expected failure. Anything else that is thrown is a bug and becomes `internal`. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly details: readonly string[];
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.details = options.details ?? [];
    this.retryAfterSeconds = options.retryAfterSeconds;
  }

  get status(): number {
    return ERROR_CODES[this.code].status;
  }
}

/** Also for what is hidden from the caller: both look the same. */
export function notFound(kind: string, id: string): AppError {
  return new AppError('resource.not_found', `There is no ${kind} "${id}".`);
}

/** The sentence says what to change in the request. */
export function invalid(sentence: string): AppError {
  return new AppError('request.invalid', sentence);
}
