import type { Secret } from '../../platform/secret.ts';

/** Line breaks and other control characters, and those that turn the direction of the text around them. */
const NOT_ONE_LINE = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu;
const MAX_MESSAGE_LENGTH = 300;
/** Fewer characters of a key in a row are chance; more of them, also without the rest, are the key. */
const MIN_KEY_RUN = 8;

/** What a vendor says, as one bounded line that may be shown; `undefined` when it says nothing or repeats our key. */
export function toMessage(said: unknown, key: Secret): string | undefined {
  if (typeof said !== 'string' || containsKey(said, key.reveal())) return undefined;
  const line = said.toWellFormed().replace(NOT_ONE_LINE, ' ').replace(/\s+/g, ' ').trim();
  if (line === '') return undefined;
  if (line.length <= MAX_MESSAGE_LENGTH) return line;
  const cut = line.slice(0, MAX_MESSAGE_LENGTH - 1);
  return `${cut.isWellFormed() ? cut : cut.slice(0, -1)}…`;
}

/** A word of a vendor's catalogue of errors, such as `FieldInvalid`. */
export function toCode(said: unknown, key: Secret): string | undefined {
  if (typeof said !== 'string' || !/^[A-Za-z][\w.-]{0,63}$/.test(said)) return undefined;
  return containsKey(said, key.reveal()) ? undefined : said;
}

/** The vendor's name of a task, fit for a row and for a path; `undefined` for anything else. */
export function toTaskId(said: unknown): string | undefined {
  if (typeof said !== 'string' || !/^[\x21-\x7e]{1,200}$/.test(said)) return undefined;
  // A path that ends in these leads elsewhere, also when they are encoded.
  return said === '.' || said === '..' ? undefined : said;
}

function containsKey(text: string, key: string): boolean {
  const said = text.toLowerCase();
  const secret = key.toLowerCase();
  const run = Math.min(MIN_KEY_RUN, secret.length);
  for (let start = 0; start + run <= secret.length; start += 1) {
    if (said.includes(secret.slice(start, start + run))) return true;
  }
  return false;
}
