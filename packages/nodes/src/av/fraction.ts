/** A rate or a time base. */
export interface Fraction {
  readonly num: number;
  readonly den: number;
}

export function fraction(num: number, den: number): Fraction {
  let [a, b] = [num, den];
  while (b !== 0) [a, b] = [b, a % b];
  return a === 0 ? { num, den } : { num: num / a, den: den / a };
}
