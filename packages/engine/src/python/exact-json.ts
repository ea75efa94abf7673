import { asInteger } from './python-number.ts';

declare global {
  interface JSON {
    /** Of ES2026: an object that `JSON.stringify` writes as this text. */
    rawJSON(text: string): object;
  }
}

/** An integer of any size as `JSON.stringify` writes it exactly. Not for other threads: there it is but an object. */
export function exactNumber(value: number | bigint): unknown {
  const exact = typeof value === 'bigint' ? asInteger(value) : value;
  return typeof exact === 'bigint' ? JSON.rawJSON(String(exact)) : exact;
}

/** `JSON.stringify` for values with bigints. */
export function toJson(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) =>
    typeof item === 'bigint' ? exactNumber(item) : item,
  );
}
