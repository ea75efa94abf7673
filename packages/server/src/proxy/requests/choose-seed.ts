import { randomInt } from 'node:crypto';

const SEEDS = 2 ** 31;

/** From 1 to 2147483647: on the wire 0 asks for any. */
export function chooseSeed(): number {
  return randomInt(1, SEEDS);
}
