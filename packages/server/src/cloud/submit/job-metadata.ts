import { isObject } from '@atelier/contracts/is-object';

import { AppError } from '../../platform/errors/app-error.ts';

const MAX_PAIRS = 16;
const MAX_FILTER_PAIRS = 3;
const FILTER_NAME = /^metadata\[(.*)\]$/s;
const KEY = /^[\w.-]{1,40}$/;
const MAX_VALUE_BYTES = 256;
/** Control characters, and those that change the direction of the text. */
const FORBIDDEN = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

/** The problem of an invalid key or value. */
function pairProblem(key: string, value: unknown): string | undefined {
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

/** The pairs of `metadata[key]=value` in a query, in the form of stored metadata. */
export function readMetadataFilter(url: string): string[] {
  const { searchParams } = new URL(url, 'http://localhost');
  const pairs = new Map<string, string>();
  for (const [name, value] of searchParams) {
    if (!name.startsWith('metadata')) continue;
    const [, key] = FILTER_NAME.exec(name) ?? [];
    if (key === undefined) throw invalidFilter('Write a filter as metadata[key]=value.');
    if (pairs.has(key)) throw invalidFilter(`metadata[${key}] is given twice.`);
    const problem = pairProblem(key, value);
    if (problem !== undefined) throw invalidFilter(problem);
    pairs.set(key, value);
  }
  if (pairs.size > MAX_FILTER_PAIRS) throw invalidFilter(`Filter by at most ${MAX_FILTER_PAIRS} pairs.`);
  return [...pairs].map(([key, value]) => pairText(key, value));
}

/** The part of stored metadata with this pair. Quotes within strings are escaped, so it cannot occur elsewhere. */
export function pairText(key: string, value: string): string {
  return `${JSON.stringify(key)}:${JSON.stringify(value)}`;
}

function refused(message: string): AppError {
  return new AppError('v2.metadata_invalid', message);
}

function invalidFilter(message: string): AppError {
  return new AppError('v2.invalid_metadata_filter', message);
}
