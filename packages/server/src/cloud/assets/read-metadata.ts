import { isObject } from '@atelier/contracts/is-object';
import { invalid } from '../../platform/errors/app-error.ts';

const MAX_BYTES = 16_384;
const MAX_DEPTH = 32;
const MAX_KEYS = 16;
const MAX_VALUES = 32;

export type Scalar = string | number | boolean | null;

/** For each key, the values of which the metadata must have one. */
export type MetadataFilter = ReadonlyMap<string, readonly Scalar[]>;

/** Metadata as it is stored. Both databases query it later, so it must contain nothing that one of them cannot read. */
export function toMetadataText(value: Readonly<Record<string, unknown>>): string {
  if (!isShallow(value)) throw invalid(`user_metadata is nested more than ${MAX_DEPTH} levels deep.`);
  const text = JSON.stringify(value);
  if (Buffer.byteLength(text) > MAX_BYTES) throw invalid(`user_metadata has more than ${MAX_BYTES} bytes.`);
  // JSON escapes a NUL and half a character.
  if (/\\u0000|\\ud[89a-f]/i.test(text) && !isStorable(value)) {
    throw invalid('user_metadata contains a NUL or half a character, which cannot be stored.');
  }
  return text;
}

/** Parses a JSON object. Blank text counts as an empty one. */
export function parseObject(text: string, name: string): Record<string, unknown> {
  if (text.trim() === '') return {};
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw invalid(`${name} is not valid JSON.`);
  }
  if (!isObject(parsed)) throw invalid(`${name} is not a JSON object.`);
  return parsed;
}

/** Reads top-level keys, each with a string, number, boolean or null, or a list of those. */
export function readMetadataFilter(text: string): MetadataFilter {
  const entries = Object.entries(parseObject(text, 'metadata_filter'));
  if (entries.length > MAX_KEYS) throw invalid(`metadata_filter has more than ${MAX_KEYS} keys.`);
  const filter = new Map<string, readonly Scalar[]>();
  for (const [key, given] of entries) {
    const values: readonly unknown[] = Array.isArray(given) ? given : [given];
    if (values.length > MAX_VALUES || !values.every(isScalar) || !isStorable([key, values])) {
      throw invalid(
        `metadata_filter asks for texts, numbers, true, false or null, or a list of at most ${MAX_VALUES} of those.`,
      );
    }
    filter.set(key, values);
  }
  return filter;
}

function isScalar(value: unknown): value is Scalar {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

/** Level by level: recursion would overflow the stack on deeply nested values. */
function isShallow(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) return false;
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []));
  }
  return true;
}

function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return !value.includes('\0') && value.isWellFormed();
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([key, member]) => isStorable(key) && isStorable(member));
}
