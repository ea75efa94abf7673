import { randomBytes, randomUUIDv7 } from 'node:crypto';

/** Time-ordered: rows of a table sort by creation. */
export function newId(): string {
  return randomUUIDv7();
}

/** A URL-safe random string of `bytes` bytes of entropy. */
export function randomToken(bytes: number): string {
  return randomBytes(bytes).toString('base64url');
}
