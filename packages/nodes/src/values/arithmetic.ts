import { NodeError } from '@atelier/engine';

/** Rounds halves to the even neighbor, as in Python's `round`. `Math.round` is off by one for 0.5 and 2.5. */
export function roundHalfEven(value: number): number {
  const floor = Math.floor(value);
  const rest = value - floor;
  if (rest < 0.5) return floor;
  if (rest > 0.5) return floor + 1;
  return floor % 2 === 0 ? floor : floor + 1;
}

/** The longest edge of a picture that nodes accept. */
export const MAX_EDGE = 16384;

export interface Fraction {
  readonly num: number;
  readonly den: number;
}

/** The fraction in lowest terms. */
export function fraction(num: number, den: number): Fraction {
  let [a, b] = [num, den];
  while (b !== 0) [a, b] = [b, a % b];
  return a === 0 ? { num, den } : { num: num / a, den: den / a };
}

/** `float(value)` of a Python number. */
export function toFloat(value: number | bigint): number {
  const float = Number(value);
  if (typeof value === 'bigint' && !Number.isFinite(float)) {
    throw new NodeError('OverflowError', 'int too large to convert to float');
  }
  return float;
}
