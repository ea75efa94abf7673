import { NodeError, valueError } from '@atelier/engine';
import { toFloat } from '../../values/arithmetic.ts';

/** A value in an expression: integers are bigints, floats are numbers. */
export type Value = bigint | number | boolean | string | null | readonly Value[] | FunctionName;
export type Numeric = bigint | number;

/** A function that is named but not called. */
export class FunctionName {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

const MAX_POWER = 4_000_000;
const MAX_SHIFT = 10_000n;
/** Python is limited by memory only. No number near this limit fits a float. */
const MAX_BITS = 4_000_000;
const MAX_SEQUENCE = 100_000;

export function typeOf(value: Value): string {
  if (value === null) return 'NoneType';
  if (value instanceof FunctionName) return 'builtin_function_or_method';
  if (typeof value === 'object') return 'list';
  const names = { bigint: 'int', number: 'float', boolean: 'bool', string: 'str' };
  return names[typeof value as keyof typeof names];
}

export function toNumeric(value: Value): Numeric | undefined {
  if (typeof value === 'boolean') return value ? 1n : 0n;
  return typeof value === 'bigint' || typeof value === 'number' ? value : undefined;
}

export function binaryOperation(operator: string, left: Value, right: Value): Value {
  const a = toNumeric(left);
  const b = toNumeric(right);
  if (a === undefined || b === undefined) return sequenceOperation(operator, left, right);
  if ('&|^'.includes(operator) && typeof left === 'boolean' && typeof right === 'boolean') {
    return operator === '&' ? left && right : operator === '|' ? left || right : left !== right;
  }
  switch (operator) {
    case '+':
      return typeof a === 'bigint' && typeof b === 'bigint' ? a + b : toFloat(a) + toFloat(b);
    case '-':
      return typeof a === 'bigint' && typeof b === 'bigint' ? a - b : toFloat(a) - toFloat(b);
    case '*':
      return multiply(a, b);
    case '/':
      return divide(a, b);
    case '//':
      return floorDivide(a, b);
    case '%':
      return modulo(a, b);
    case '**':
      if (absolute(a) > MAX_POWER || absolute(b) > MAX_POWER) throw tooHigh();
      return power(a, b);
    case '@':
      throw new NodeError('simpleeval.OperatorNotDefined', "Operator '@' cannot be used in an expression.");
    default:
      if (typeof a !== 'bigint' || typeof b !== 'bigint') throw unsupported(operator, left, right);
      return bitOperation(operator, a, b);
  }
}

export function absolute(value: Numeric): Numeric {
  return typeof value === 'bigint' ? (value < 0n ? -value : value) : Math.abs(value);
}

export function power(base: Numeric, exponent: Numeric): Numeric {
  if (typeof base === 'bigint' && typeof exponent === 'bigint' && exponent >= 0n) {
    if (BigInt(bitLength(base)) * exponent > MAX_BITS) throw tooHigh();
    return base ** exponent;
  }
  return floatPower(toFloat(base), toFloat(exponent));
}

function floatPower(base: number, exponent: number): number {
  // One to any power is one, even where JavaScript gives NaN.
  if (base === 1 || exponent === 0) return 1;
  if (base === -1 && !Number.isFinite(exponent) && !Number.isNaN(exponent)) return 1;
  if (base === 0 && exponent < 0) {
    throw new NodeError('ZeroDivisionError', '0.0 cannot be raised to a negative power');
  }
  if (base < 0 && Number.isFinite(base) && Number.isFinite(exponent) && !Number.isInteger(exponent)) {
    throw valueError('A negative number to a power that is not whole is not a real number.');
  }
  const result = base ** exponent;
  if (!Number.isFinite(result) && Number.isFinite(base) && Number.isFinite(exponent)) {
    throw new NodeError('OverflowError', 'Numerical result out of range');
  }
  return result;
}

function multiply(a: Numeric, b: Numeric): Numeric {
  if (typeof a !== 'bigint' || typeof b !== 'bigint') return toFloat(a) * toFloat(b);
  if (bitLength(a) + bitLength(b) > MAX_BITS) throw tooHigh();
  return a * b;
}

export function bitLength(value: bigint): number {
  const hex = absolute(value).toString(16);
  return 4 * (hex.length - 1) + (32 - Math.clz32(Number.parseInt(hex.charAt(0), 16)));
}

function divide(a: Numeric, b: Numeric): number {
  if (b === 0 || b === 0n) throw new NodeError('ZeroDivisionError', 'division by zero');
  if (typeof a === 'bigint' && typeof b === 'bigint') return divideIntegers(a, b);
  return toFloat(a) / toFloat(b);
}

/** Rounds once, even if the integers themselves are no floats. */
function divideIntegers(a: bigint, b: bigint): number {
  if (isExact(a) && isExact(b)) return Number(a) / Number(b);
  const numerator = a < 0n ? -a : a;
  const denominator = b < 0n ? -b : b;
  const shift = bitLength(denominator) - bitLength(numerator) + 72;
  const scaled = shift >= 0 ? numerator << BigInt(shift) : numerator;
  const divisor = shift >= 0 ? denominator : denominator << BigInt(-shift);
  // The lost part must still tip a half, so the last bit says that there was one.
  const quotient = (scaled / divisor) | (scaled % divisor === 0n ? 0n : 1n);
  const magnitude = scaleByPower(Number(quotient), -shift);
  if (!Number.isFinite(magnitude)) {
    throw new NodeError('OverflowError', 'integer division result too large for a float');
  }
  return a < 0n !== b < 0n ? -magnitude : magnitude;
}

/** value × 2^exponent, in two steps because one may leave the range. */
function scaleByPower(value: number, exponent: number): number {
  const half = Math.trunc(exponent / 2);
  return value * 2 ** half * 2 ** (exponent - half);
}

function isExact(value: bigint): boolean {
  return absolute(value) <= Number.MAX_SAFE_INTEGER;
}

function floorDivide(a: Numeric, b: Numeric): Numeric {
  if (b === 0 || b === 0n) throw new NodeError('ZeroDivisionError', 'integer division or modulo by zero');
  if (typeof a === 'bigint' && typeof b === 'bigint') return (a - integerModulo(a, b)) / b;
  return floatDivision(toFloat(a), toFloat(b)).quotient;
}

function modulo(a: Numeric, b: Numeric): Numeric {
  if (b === 0 || b === 0n) throw new NodeError('ZeroDivisionError', 'integer modulo by zero');
  if (typeof a === 'bigint' && typeof b === 'bigint') return integerModulo(a, b);
  return floatDivision(toFloat(a), toFloat(b)).rest;
}

/** The remainder has the sign of the divisor. */
function integerModulo(a: bigint, b: bigint): bigint {
  const rest = a % b;
  return rest !== 0n && rest < 0n !== b < 0n ? rest + b : rest;
}

function floatDivision(a: number, b: number): { readonly quotient: number; readonly rest: number } {
  let rest = a % b;
  let quotient = (a - rest) / b;
  if (rest !== 0 && rest < 0 !== b < 0) {
    rest += b;
    quotient -= 1;
  }
  // The sign of a zero counts.
  if (rest === 0) rest = b < 0 ? -0 : 0;
  if (quotient === 0) return { quotient: a / b < 0 ? -0 : 0, rest };
  const floor = Math.floor(quotient);
  return { quotient: quotient - floor > 0.5 ? floor + 1 : floor, rest };
}

function bitOperation(operator: string, a: bigint, b: bigint): bigint {
  switch (operator) {
    case '&':
      return a & b;
    case '|':
      return a | b;
    case '^':
      return a ^ b;
    default: {
      if (absolute(b) > MAX_SHIFT || bitLength(a) > 1024) throw tooHigh();
      if (b < 0n) throw valueError('negative shift count');
      return operator === '<<' ? a << b : a >> b;
    }
  }
}

/** `'a' + 'b'`, `'a' * 3`, and the same with lists. */
function sequenceOperation(operator: string, left: Value, right: Value): Value {
  if (operator === '+') {
    if (typeof left === 'string' && typeof right === 'string') return left + right;
    if (isList(left) && isList(right)) return [...left, ...right];
  }
  if (operator === '*') {
    const [sequence, times] = typeof left === 'string' || isList(left) ? [left, right] : [right, left];
    const count = toNumeric(times);
    if (typeof count === 'bigint' && (typeof sequence === 'string' || isList(sequence))) {
      if (BigInt(sequence.length) * count > MAX_SEQUENCE) {
        throw new NodeError('simpleeval.IterableTooLong', 'Sorry, I will not evaluate something that long.');
      }
      const repeats = Math.max(0, Number(count));
      return typeof sequence === 'string'
        ? sequence.repeat(repeats)
        : Array.from({ length: repeats }, () => sequence).flat();
    }
  }
  throw unsupported(operator, left, right);
}

export function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value);
}

function tooHigh(): NodeError {
  return new NodeError('simpleeval.NumberTooHigh', 'Sorry, the numbers of this expression become too large.');
}

function unsupported(operator: string, left: Value, right: Value): NodeError {
  return new NodeError(
    'TypeError',
    `unsupported operand type(s) for ${operator}: '${typeOf(left)}' and '${typeOf(right)}'`,
  );
}

export function isTrue(value: Value): boolean {
  const number = toNumeric(value);
  if (number !== undefined) return typeof number === 'bigint' ? number !== 0n : number !== 0;
  if (typeof value === 'string' || isList(value)) return value.length > 0;
  return value !== null;
}

export function unaryOperation(operator: string, value: Value): Value {
  if (operator === 'not') return !isTrue(value);
  const number = toNumeric(value);
  if (number === undefined || (operator === '~' && typeof number === 'number')) {
    throw new NodeError('TypeError', `bad operand type for unary ${operator}: '${typeOf(value)}'`);
  }
  if (operator === '+') return number;
  return operator === '-' ? -number : ~BigInt(number);
}
