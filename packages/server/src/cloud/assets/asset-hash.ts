import { invalid } from '../../platform/errors/app-error.ts';

/** Whether it is meant as a hash, right or wrong. */
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

export function toHash(digits: string): string {
  return `blake3:${digits}`;
}
