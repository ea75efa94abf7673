import { asInteger, floatRepr } from '../python/python-number.ts';
import { pythonRepr } from '../python/python-repr.ts';
import { cut } from './problems.ts';

type ExceptionType = 'TypeError' | 'ValueError' | 'OverflowError';

/** A failed conversion, told as the host application tells it. */
export class ConversionError extends Error {
  readonly exceptionType: ExceptionType;
  constructor(exceptionType: ExceptionType, message: string) {
    super(message);
    this.name = exceptionType;
    this.exceptionType = exceptionType;
  }
}

/** Python reads no integers of more digits. */
const MAX_DIGITS = 4300;
/** Longer texts are not numbers: nobody writes them so, and reading them takes time. */
const MAX_NUMBER_TEXT = 10_000;
// No part can take what another could, so a text that does not match is known to after one pass.
const INT_TEXT = /^[+-]?\d+(?:_\d+)*$/;
const FLOAT_TEXT = /^[+-]?(?:\d+(?:_\d+)*(?:\.(?:\d+(?:_\d+)*)?)?|\.\d+(?:_\d+)*)(?:e[+-]?\d+(?:_\d+)*)?$/i;
const NOT_FINITE_TEXT = /^([+-]?)(inf(?:inity)?|nan)$/i;

/** `int(value)`: numbers lose their fraction, texts are read. A bigint where a number would not be exact. */
export function toInt(value: unknown): number | bigint {
  if (typeof value === 'bigint') return asInteger(value);
  if (typeof value === 'boolean') return Number(value);
  if (typeof value === 'number') {
    if (Number.isNaN(value)) throw new ConversionError('ValueError', 'cannot convert float NaN to integer');
    if (!Number.isFinite(value)) {
      throw new ConversionError('OverflowError', 'cannot convert float infinity to integer');
    }
    return asInteger(BigInt(Math.trunc(value)));
  }
  if (typeof value !== 'string') throw notA('int', 'a string, a bytes-like object or a real number', value);
  const text = value.trim();
  if (text.length > MAX_NUMBER_TEXT || !INT_TEXT.test(text)) {
    const literal = pythonRepr(cut(value));
    throw new ConversionError('ValueError', `invalid literal for int() with base 10: ${literal}`);
  }
  const digits = text.replaceAll(/[_+-]/g, '');
  if (digits.length > MAX_DIGITS) {
    throw new ConversionError(
      'ValueError',
      `Exceeds the limit (${MAX_DIGITS} digits) for integer string conversion: value has ${digits.length} digits`,
    );
  }
  return asInteger(text.startsWith('-') ? -BigInt(digits) : BigInt(digits));
}

/**
 * `float(value)`. Python takes infinity and what is not a number as well; they are refused here however they are
 * written, since no bound could be checked on them and JSON cannot tell them to anybody.
 */
export function toFloat(value: unknown): number {
  const number = readFloat(value);
  if (Number.isFinite(number)) return number;
  throw new ConversionError('ValueError', `value must be finite, not ${floatRepr(number)}`);
}

function readFloat(value: unknown): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean' || typeof value === 'bigint') return Number(value);
  if (typeof value !== 'string') throw notA('float', 'a string or a real number', value);
  const text = value.trim();
  if (text.length <= MAX_NUMBER_TEXT) {
    if (FLOAT_TEXT.test(text)) return Number(text.replaceAll('_', ''));
    const [, sign, word] = NOT_FINITE_TEXT.exec(text) ?? [];
    if (word !== undefined) return word.toLowerCase() === 'nan' ? Number.NaN : Number(`${sign}Infinity`);
  }
  throw new ConversionError('ValueError', `could not convert string to float: ${pythonRepr(cut(value))}`);
}

/** `bool(value)`: what is empty or zero is false, and every other text is true, `"false"` too. */
export function toBoolean(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return typeof value === 'number' ? value !== 0 : Boolean(value);
}

function notA(name: 'int' | 'float', wanted: string, value: unknown): ConversionError {
  return new ConversionError(
    'TypeError',
    `${name}() argument must be ${wanted}, not '${pythonTypeName(value)}'`,
  );
}

export function pythonTypeName(value: unknown): string {
  if (value === null || value === undefined) return 'NoneType';
  if (Array.isArray(value)) return 'list';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int' : 'float';
  const names: Readonly<Record<string, string>> = { string: 'str', boolean: 'bool', bigint: 'int' };
  return names[typeof value] ?? 'dict';
}
