import { scaledRound, withExponent } from '@atelier/engine';

/**
 * Floats in the format of C's `printf`: exact decimal digits, halves to even. `Number.prototype.toFixed` rounds halves up and
 * ends at 100 digits.
 */

/** `%.<digits>f` of a finite magnitude. */
export function fixedText(magnitude: number, digits: number): string {
  const scaled = String(scaledRound(magnitude, digits)).padStart(digits + 1, '0');
  if (digits === 0) return scaled;
  return `${scaled.slice(0, -digits)}.${scaled.slice(-digits)}`;
}

/** The first `count` digits of a finite magnitude, rounded, and the power of ten of the first one. */
export function leadingDigits(
  magnitude: number,
  count: number,
): { readonly digits: string; readonly exponent: number } {
  if (magnitude === 0) return { digits: '0'.repeat(count), exponent: 0 };
  const exponent = Number(magnitude.toExponential().split('e')[1]);
  const digits = String(scaledRound(magnitude, count - 1 - exponent));
  // 9.99 rounded to two digits is 10, one place higher.
  return digits.length > count
    ? { digits: digits.slice(0, -1), exponent: exponent + 1 }
    : { digits, exponent };
}

/** `%.<digits>e` of a finite magnitude. */
export function exponentText(magnitude: number, digits: number, { point = false } = {}): string {
  const leading = leadingDigits(magnitude, digits + 1);
  return withExponent(leading.digits, leading.exponent, { point });
}

export interface GeneralOptions {
  /** Keeps trailing zeros and the point. */
  readonly alternate?: boolean;
  /** The form of `format` without a type: one digit after the point, and an exponent one place sooner. */
  readonly pointZero?: boolean;
}

/** `%.<precision>g` of a finite magnitude. */
export function generalText(
  magnitude: number,
  precision: number,
  { alternate = false, pointZero = false }: GeneralOptions = {},
): string {
  const count = Math.max(precision, 1);
  const { digits, exponent } = leadingDigits(magnitude, count);
  const kept = alternate ? digits : digits.replace(/0+$/, '') || '0';
  if (exponent < -4 || exponent >= count - (pointZero ? 1 : 0)) {
    return withExponent(kept, exponent, { point: alternate });
  }
  if (exponent < 0) return `0.${'0'.repeat(-exponent - 1)}${kept}`;
  const whole = kept.slice(0, exponent + 1).padEnd(exponent + 1, '0');
  const rest = kept.slice(exponent + 1);
  if (rest !== '') return `${whole}.${rest}`;
  return pointZero ? `${whole}.0` : alternate ? `${whole}.` : whole;
}
