import { NodeError, valueError } from '../node-error.ts';
import {
  asInteger,
  floatRepr,
  parseFloatText,
  parseInteger,
  truncateFloat,
} from '../python/python-number.ts';
import { pythonRepr, pythonTypeName } from '../python/python-repr.ts';
import { cut } from './problems.ts';

/** Longer texts are not numbers: nobody writes them, and reading them takes time. */
const MAX_NUMBER_TEXT = 10_000;

/** `int(value)`: drops the fraction of numbers, and reads texts. A bigint where a number would not be exact. */
export function toInt(value: unknown): number | bigint {
  if (typeof value === 'bigint') return asInteger(value);
  if (typeof value === 'boolean') return Number(value);
  if (typeof value === 'number') return asInteger(truncateFloat(value));
  if (typeof value !== 'string') throw notA('int', 'a string, a bytes-like object or a real number', value);
  const integer = readText(value, parseInteger);
  if (integer !== undefined) return asInteger(integer);
  throw valueError(`invalid literal for int() with base 10: ${pythonRepr(cut(value))}`);
}

/** `float(value)`, but refuses infinity and NaN: no bound could be checked on them, and JSON has no form for them. */
export function toFloat(value: unknown): number {
  const number = readFloat(value);
  if (Number.isFinite(number)) return number;
  throw valueError(`value must be finite, not ${floatRepr(number)}`);
}

function readFloat(value: unknown): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean' || typeof value === 'bigint') return Number(value);
  if (typeof value !== 'string') throw notA('float', 'a string or a real number', value);
  const number = readText(value, parseFloatText);
  if (number !== undefined) return number;
  throw valueError(`could not convert string to float: ${pythonRepr(cut(value))}`);
}

function readText<T>(text: string, parse: (text: string) => T | undefined): T | undefined {
  const trimmed = text.trim();
  return trimmed.length > MAX_NUMBER_TEXT ? undefined : parse(trimmed);
}

/** `bool(value)`: what is empty or zero is false, and every other text is true, `"false"` too. */
export function toBoolean(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return typeof value === 'number' ? value !== 0 : Boolean(value);
}

function notA(name: 'int' | 'float', wanted: string, value: unknown): NodeError {
  const message = `${name}() argument must be ${wanted}, not '${pythonTypeName(value)}'`;
  return new NodeError('TypeError', message);
}
