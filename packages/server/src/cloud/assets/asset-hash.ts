import { invalid } from '../../platform/errors/app-error.ts';

/** A hash and the column of `assets` to look it up in. */
export interface ContentHash {
  readonly column: 'blake3' | 'content_hash';
  readonly digits: string;
}

/** Whether it is meant as a hash, valid or not. */
export function isHash(text: string): boolean {
  return /^\s*blake3:/i.test(text);
}

/** The digits of `blake3:<64 hexadecimal digits>`, in lower case. */
export function readHash(text: string): string {
  const digits = /^blake3:([0-9a-f]{64})$/.exec(text.trim().toLowerCase())?.[1];
  if (digits === undefined) {
    throw invalid('A hash is "blake3:" and 64 hexadecimal digits.');
  }
  return digits;
}

/** Like `readHash`, but also accepts `sha256:`, which every platform can compute without a package. */
export function readContentHash(text: string): ContentHash {
  const [, digits] = /^sha256:([0-9a-f]{64})$/.exec(text.trim().toLowerCase()) ?? [];
  return digits === undefined
    ? { column: 'blake3', digits: readHash(text) }
    : { column: 'content_hash', digits };
}

export function toHash(digits: string): string {
  return `blake3:${digits}`;
}
