import type { Secret } from '../../platform/secret.ts';

/** Line breaks, other control characters, and marks that change the direction of text. */
const NOT_ONE_LINE = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu;
const MAX_MESSAGE_LENGTH = 300;
/** A shorter match with the key is chance. A longer one gives part of the key away. */
const MIN_KEY_RUN = 8;

/** A message as one short line; `undefined` if it is empty or repeats our key. */
export function toMessage(said: unknown, key: Secret): string | undefined {
  if (typeof said !== 'string' || containsKey(said, key.reveal())) return undefined;
  const line = said.toWellFormed().replace(NOT_ONE_LINE, ' ').replace(/\s+/g, ' ').trim();
  if (line === '') return undefined;
  if (line.length <= MAX_MESSAGE_LENGTH) return line;
  const cut = line.slice(0, MAX_MESSAGE_LENGTH - 1);
  return `${cut.isWellFormed() ? cut : cut.slice(0, -1)}…`;
}

/** An error code of the vendor, such as `FieldInvalid`. */
export function toCode(said: unknown, key: Secret): string | undefined {
  if (typeof said !== 'string' || !/^[A-Za-z][\w.-]{0,63}$/.test(said)) return undefined;
  return containsKey(said, key.reveal()) ? undefined : said;
}

/** The vendor's id of a task; `undefined` unless it fits into a row and a path. */
export function toTaskId(said: unknown): string | undefined {
  if (typeof said !== 'string' || !/^[\x21-\x7e]{1,200}$/.test(said)) return undefined;
  // A path that ends in these leads elsewhere, even when they are encoded.
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
