import { randomBytes, randomUUIDv7 } from 'node:crypto';

/** Time-ordered, so that rows of one table stay in order of creation. */
export function newId(): string {
  return randomUUIDv7();
}

/** A URL-safe random string of `bytes` bytes of entropy. */
export function randomToken(bytes: number): string {
  return randomBytes(bytes).toString('base64url');
}
