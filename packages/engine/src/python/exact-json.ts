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
  try {
    // Three times as fast as with a function that looks at every item; and most values have no bigints.
    return JSON.stringify(value);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return JSON.stringify(value, (_key, item: unknown) =>
      typeof item === 'bigint' ? exactNumber(item) : item,
    );
  }
}
