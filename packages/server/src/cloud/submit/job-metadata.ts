import { isObject } from '@atelier/contracts/is-object';

import { AppError } from '../../platform/errors/app-error.ts';

const MAX_PAIRS = 16;
const KEY = /^[\w.-]{1,40}$/;
const MAX_VALUE_BYTES = 256;
/** Control characters, and those that change the direction of the text. */
const FORBIDDEN = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

/** The problem of an invalid key or value. */
export function pairProblem(key: string, value: unknown): string | undefined {
  if (!KEY.test(key)) {
    return `The key ${JSON.stringify(key.slice(0, 60))} must have 1 to 40 letters, digits, "_", "-" or ".".`;
  }
  if (typeof value !== 'string') return `The value of ${key} must be a text.`;
  if (Buffer.byteLength(value) > MAX_VALUE_BYTES) {
    return `The value of ${key} has more than ${MAX_VALUE_BYTES} bytes.`;
  }
  return FORBIDDEN.test(value) ? `The value of ${key} has a control character.` : undefined;
}

/** Metadata as it is stored: JSON, or an empty string. Searched with `pairText`. */
export function readMetadata(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (!isObject(value)) throw refused('metadata must be an object of texts.');
  const pairs = Object.entries(value);
  if (pairs.length > MAX_PAIRS)
    throw refused(`There are ${pairs.length} pairs; a job has at most ${MAX_PAIRS}.`);
  for (const [key, text] of pairs) {
    const problem = pairProblem(key, text);
    if (problem !== undefined) throw refused(problem);
  }
  return pairs.length === 0 ? '' : JSON.stringify(value);
}

/** The part of stored metadata with this pair. Quotes within strings are escaped, so it cannot occur elsewhere. */
export function pairText(key: string, value: string): string {
  return `${JSON.stringify(key)}:${JSON.stringify(value)}`;
}

function refused(message: string): AppError {
  return new AppError('v2.metadata_invalid', message);
}
