import { UNKNOWN, type Value } from './literal-values.ts';

/** Longer descriptions of a node's inputs are left out rather than stored. */
const LONGEST_JSON = 64 * 1024;

/** JSON text, with `null` for list items that are not known and without dictionary entries that are not. */
export function toJson(value: Value): string | undefined {
  const text = write(value);
  return text !== undefined && text.length <= LONGEST_JSON ? text : undefined;
}

function write(value: Value): string | undefined {
  if (value === UNKNOWN) return undefined;
  if (Array.isArray(value)) return `[${value.map((item) => write(item) ?? 'null').join(',')}]`;
  // 64-bit bounds of seeds stay exact.
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'number') return Number.isFinite(value) ? JSON.stringify(value) : undefined;
  if (!(value instanceof Map)) return JSON.stringify(value);
  const entries = [...value].flatMap(([key, one]) => {
    const text = write(one);
    return text === undefined ? [] : [`${JSON.stringify(key)}:${text}`];
  });
  return `{${entries.join(',')}}`;
}
