import type { IncomingHttpHeaders } from 'node:http';

import type { Clock } from '../../platform/clock.ts';
import { readRetryAfter } from '../../platform/net/retry-after.ts';
import type { Secret } from '../../platform/secret.ts';
import { type VendorTaskStatus, VendorTrouble } from './vendor.ts';
import { toCode, toMessage } from './vendor-text.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** The error in an answer, of which nothing is trusted. */
export interface VendorError {
  readonly code?: unknown;
  readonly message?: unknown;
}

export interface VendorSide {
  /** Begins a sentence: `The image vendor`. */
  readonly called: string;
  readonly readVendorError: (body: Fields) => VendorError;
  /** Our sentences for codes of the vendor whose messages say too little. */
  readonly sentences: Readonly<Record<string, string>>;
  readonly key: Secret;
  readonly clock: Clock;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** `undefined` if it is not a JSON object, too long or incomplete. */
  readonly body: Fields | undefined;
}

export type VendorCall = 'begin' | 'check';

export type VendorFailure = Extract<VendorTaskStatus, { readonly state: 'failed' }>;

/** The body of a good answer, or a failure that is final. */
export type VendorResult = { readonly state: 'heard'; readonly body: Fields } | VendorFailure;

const MAX_RETRY_AFTER_MS = 3_600_000;
const CHECK_THE_KEY = 'the administrator should check the vendor key and what its account may do.';

const CODES: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  402: 'CreditInsufficient',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  413: 'RequestTooLarge',
  422: 'FieldInvalid',
};

/** Throws a `VendorTrouble` when the answer asks for a later try, or does not say whether the vendor has begun or how the task stands. */
export function classifyAnswer(side: VendorSide, call: VendorCall, answer: Answer): VendorResult {
  const { status, body } = answer;
  if (isGood(status)) {
    if (body !== undefined) return { state: 'heard', body };
    throw unreadable(side, call);
  }
  if (call === 'check' && (status === 404 || status === 410)) {
    return { state: 'failed', code: 'TaskNotFound', message: `${side.called} no longer knows this task.` };
  }
  const retryAfterMs = retryAfterOf(side, answer);
  // Gateways also answer 503 when the connection behind them breaks off during the work. With a time, they have rejected the request.
  if (status === 429 || (status === 503 && retryAfterMs !== undefined)) {
    throw toTrouble(call, `${side.called} is busy (HTTP ${status})${explain(side, answer)}`, {
      mayHaveArrived: false,
      retryAfterMs,
    });
  }
  // 408 and 499 mean that a request ended too early, but not how far it came.
  const isRefused = status >= 400 && status < 500 && status !== 408 && status !== 499;
  if (call === 'begin' && isRefused) return toRefusal(side, answer);
  // A task that has begun goes on at the vendor and is paid for. Once the key works again, it is found.
  const why = isKeyProblem(answer) ? `: ${CHECK_THE_KEY}` : explain(side, answer);
  throw toTrouble(call, `${side.called} answered with HTTP ${status}${why}`, {
    mayHaveArrived: true,
    retryAfterMs,
  });
}

function isKeyProblem({ status }: Answer): boolean {
  return status === 401 || status === 403;
}

export function unreadable({ called }: VendorSide, call: VendorCall): VendorTrouble {
  return toTrouble(call, `${called} answered with something that cannot be read.`, { mayHaveArrived: true });
}

export function toTrouble(
  call: VendorCall,
  message: string,
  { mayHaveArrived, ...rest }: ConstructorParameters<typeof VendorTrouble>[1],
): VendorTrouble {
  // A check starts nothing at the vendor.
  return new VendorTrouble(message, { mayHaveArrived: call === 'begin' && mayHaveArrived, ...rest });
}

/** In the vendor's words if they can be shown, otherwise in those of `otherwise`. */
export function toFailure(
  { called, sentences, key }: VendorSide,
  error: VendorError,
  otherwise: Omit<VendorFailure, 'state'>,
): VendorFailure {
  const code = toCode(error.code, key) ?? otherwise.code;
  const known = Object.hasOwn(sentences, code) ? sentences[code] : undefined;
  const said = toMessage(error.message, key);
  const message = known ?? (said === undefined ? otherwise.message : `${called} says: ${said}`);
  return { state: 'failed', code, message };
}

function toRefusal(side: VendorSide, answer: Answer): VendorFailure {
  const { status } = answer;
  const code = CODES[status] ?? 'Refused';
  if (isKeyProblem(answer)) {
    return { state: 'failed', code, message: `${side.called} does not let this server in: ${CHECK_THE_KEY}` };
  }
  const message = `${side.called} refused the task (HTTP ${status}).`;
  return toFailure(side, readVendorError(side, answer), { code, message });
}

/** By the vendor's clock if the answer has a date, because ours may differ. */
function retryAfterOf({ clock }: VendorSide, { headers }: Answer): number | undefined {
  const theirs = Date.parse(headers.date ?? '');
  const now = Number.isNaN(theirs) ? clock() : theirs;
  return readRetryAfter(headers['retry-after'], { now, maxMs: MAX_RETRY_AFTER_MS });
}

function explain(side: VendorSide, answer: Answer): string {
  const said = toMessage(readVendorError(side, answer).message, side.key);
  return said === undefined ? '.' : `: ${said}`;
}

function readVendorError(side: VendorSide, { body }: Answer): VendorError {
  return body === undefined ? {} : side.readVendorError(body);
}

export function isGood(status: number): boolean {
  return status >= 200 && status < 300;
}
