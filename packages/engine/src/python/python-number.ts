import { NodeError } from '../node-error.ts';

/**
 * A float whose value alone would be taken for an integer, such as 1.0. Values between nodes are plain numbers, where
 * 1 and 1.0 are the same: only the socket they came through, or JSON that is parsed here, can still tell them apart.
 */
export class PythonFloat {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }

  toJSON(): unknown {
    return JSON.rawJSON(floatRepr(this.value));
  }
}

/** Constants as nodes take them, and the types that their values alone do not say. */
export function withoutForms(constants: Readonly<Record<string, unknown>>): {
  readonly values: Readonly<Record<string, unknown>>;
  readonly types: Readonly<Record<string, 'FLOAT'>>;
} {
  const floats = Object.entries(constants).flatMap(([name, value]) =>
    value instanceof PythonFloat ? [[name, value.value] as const] : [],
  );
  if (floats.length === 0) return { values: constants, types: {} };
  return {
    values: { ...constants, ...Object.fromEntries(floats) },
    types: Object.fromEntries(floats.map(([name]) => [name, 'FLOAT'])),
  };
}

/**
 * Whether a number counts as an integer. Whole numbers do, because the socket they came through is not known. Minus zero
 * does not, nor does a number beyond 2^53: an integer of that size is a bigint.
 */
export function isIntegerNumber(value: number): boolean {
  return Number.isSafeInteger(value) && !Object.is(value, -0);
}

/** Boxes a float if the plain number would be mistaken for an integer. */
export function asFloat(value: number): number | PythonFloat {
  return isIntegerNumber(value) ? new PythonFloat(value) : value;
}

/** A whole number from a FLOAT socket is still a float: Python writes 3.0, not 3. */
export function ofSocket(value: unknown, socket: string | undefined): unknown {
  return typeof value === 'number' && socket === 'FLOAT' ? asFloat(value) : value;
}

/** A plain number if that is exact. */
export function asInteger(value: bigint): number | bigint {
  return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : value;
}

/** `repr` of a float: the shortest digits that read back, `.0` for whole numbers, an exponent from 1e16 and below 1e-4. */
export function floatRepr(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  const [mantissa = '0', exponentText = '0'] = Math.abs(value).toExponential().split('e');
  const digits = mantissa.replace('.', '');
  const exponent = Number(exponentText);
  if (exponent < -4 || exponent >= 16) return sign + withExponent(digits, exponent);
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0');
  return `${sign}${whole}.${digits.slice(exponent + 1) || '0'}`;
}

/** `d.ddde±XX`: Python's exponents have at least two digits. */
export function withExponent(digits: string, exponent: number, { point = false } = {}): string {
  const rest = digits.slice(1);
  const power = String(Math.abs(exponent)).padStart(2, '0');
  return `${digits.slice(0, 1)}${rest === '' && !point ? '' : '.'}${rest}e${exponent < 0 ? '-' : '+'}${power}`;
}

/** A finite double as an exact fraction. */
function toFraction(value: number): readonly [numerator: bigint, denominator: bigint] {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, Math.abs(value));
  const word = bits.getBigUint64(0);
  const exponent = Number(word >> 52n);
  const fraction = word & 0xfffffffffffffn;
  const mantissa = exponent === 0 ? fraction : fraction | (1n << 52n);
  const power = Math.max(exponent, 1) - 1075;
  return power >= 0 ? [mantissa << BigInt(power), 1n] : [mantissa, 1n << BigInt(-power)];
}

/** |value| × 10^power as a whole number, halves to even, rounded once. */
export function scaledRound(value: number, power: number): bigint {
  const [numerator, denominator] = toFraction(value);
  return power >= 0
    ? divideHalfEven(numerator * 10n ** BigInt(power), denominator)
    : divideHalfEven(numerator, denominator * 10n ** BigInt(-power));
}

/** Quotient of two numbers that are not negative, halves to even. */
function divideHalfEven(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator;
  const twice = (numerator % denominator) * 2n;
  if (twice < denominator || (twice === denominator && quotient % 2n === 0n)) return quotient;
  return quotient + 1n;
}

/** `round(value, digits)` of a float. */
export function roundFloat(value: number, digits: number): number {
  // Beyond 330 digits, a double stays the same or becomes zero.
  if (!Number.isFinite(value) || value === 0 || digits > 330) return value;
  const sign = value < 0 ? '-' : '';
  if (digits < -330) return Number(`${sign}0`);
  return Number(`${sign}${scaledRound(value, digits)}e${-digits}`);
}

/** `round(value, digits)` of an integer, where digits below zero round to tens, hundreds…. */
export function roundInteger(value: bigint, digits: number): bigint {
  if (digits >= 0) return value;
  const unit = 10n ** BigInt(-digits);
  const rounded = divideHalfEven(value < 0n ? -value : value, unit) * unit;
  return value < 0n ? -rounded : rounded;
}

/** `int(value)` of a float. */
export function truncateFloat(value: number): bigint {
  if (Number.isNaN(value)) throw new NodeError('ValueError', 'cannot convert float NaN to integer');
  if (!Number.isFinite(value))
    throw new NodeError('OverflowError', 'cannot convert float infinity to integer');
  return BigInt(Math.trunc(value));
}

/** Python refuses longer texts too, because reading them takes quadratic time. */
const MAX_INTEGER_DIGITS = 4300;
const INTEGER = /^[+-]?\d+(?:_\d+)*$/;
const DIGITS = String.raw`\d+(?:_\d+)*`;
/** No two parts can take the same digit, so a long text is read once. */
const FLOAT = new RegExp(
  `^[+-]?(?:(?:${DIGITS}(?:\\.(?:${DIGITS})?)?|\\.${DIGITS})(?:e[+-]?${DIGITS})?|inf(?:inity)?|nan)$`,
  'i',
);

/** `int(text)`; `undefined` where Python has a ValueError. */
export function parseInteger(text: string): bigint | undefined {
  const plain = plainDigits(text);
  if (!INTEGER.test(plain)) return undefined;
  const digits = plain.replaceAll('_', '').replace('+', '');
  const magnitude = digits.replace('-', '');
  if (magnitude.length > MAX_INTEGER_DIGITS) {
    const limit = `Exceeds the limit (${MAX_INTEGER_DIGITS} digits) for integer string conversion`;
    throw new NodeError('ValueError', `${limit}: value has ${magnitude.length} digits`);
  }
  return BigInt(magnitude) * (digits.startsWith('-') ? -1n : 1n);
}

/** `float(text)`; `undefined` where Python has a ValueError. */
export function parseFloatText(text: string): number | undefined {
  const plain = plainDigits(text);
  if (!FLOAT.test(plain)) return undefined;
  const word = /^([+-]?)(inf|nan)/i.exec(plain);
  if (word) return word[2]?.toLowerCase() === 'nan' ? Number.NaN : word[1] === '-' ? -Infinity : Infinity;
  return Number(plain.replaceAll('_', ''));
}

/** Trims the text and replaces the digits of other scripts by ASCII ones. */
function plainDigits(text: string): string {
  const trimmed = withoutSurroundingSpace(text);
  if (!/[^\0-\x7f]/.test(trimmed)) return trimmed;
  return trimmed.replace(/\p{Nd}/gu, (digit) => String(digitValue(digit)));
}

/** Decimal digits come in rows of ten that start at zero. */
function digitValue(digit: string): number {
  const code = digit.codePointAt(0) ?? 0;
  let distance = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(code - distance - 1))) distance += 1;
  return distance % 10;
}

/** White space as `str.isspace` and `\s` know it. */
export const WHITE_SPACE =
  '\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000';
const SPACES = new RegExp(`^[${WHITE_SPACE}]$`, 'u');

/** Not a pattern, which would start over at every space inside the text. */
function withoutSurroundingSpace(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && SPACES.test(text.charAt(start))) start += 1;
  while (end > start && SPACES.test(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}
