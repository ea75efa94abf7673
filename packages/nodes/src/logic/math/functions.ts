import {
  NodeError,
  parseFloatText,
  parseInteger,
  roundFloat,
  roundInteger,
  truncateFloat,
  valueError,
} from '@atelier/engine';
import { toFloat } from '../../values/arithmetic.ts';
import { compare } from './compare.ts';
import {
  absolute,
  binaryOperation,
  bitLength,
  isList,
  type Numeric,
  power,
  toNumeric,
  typeOf,
  type Value,
} from './operators.ts';

type Named = ReadonlyMap<string, Value>;
export type MathFunction = (inputs: readonly Value[], named: Named) => Value;

const MAX_EXPONENT = 4000;

export const FUNCTIONS: ReadonlyMap<string, MathFunction> = new Map<string, MathFunction>([
  ['sum', sum],
  ['min', (inputs, named) => extreme('min', inputs, named)],
  ['max', (inputs, named) => extreme('max', inputs, named)],
  ['abs', plain('abs', 1, ([value]) => absolute(numeric(value, 'abs')))],
  ['round', round],
  ['pow', plain('pow', 2, ([base, exponent]) => limitedPower(base, exponent))],
  ['sqrt', plain('sqrt', 1, ([value]) => inDomain(Math.sqrt(float(value, 'sqrt'))))],
  ['ceil', plain('ceil', 1, ([value]) => toInteger(value, 'ceil', Math.ceil))],
  ['floor', plain('floor', 1, ([value]) => toInteger(value, 'floor', Math.floor))],
  ['log', log],
  ['log2', plain('log2', 1, ([value]) => logarithm(numeric(value, 'log2'), exactLog2, 1))],
  [
    'log10',
    plain('log10', 1, ([value]) => logarithm(numeric(value, 'log10'), exactLog10, Math.LOG10E * Math.LN2)),
  ],
  ['sin', plain('sin', 1, ([value]) => circular(value, 'sin', Math.sin))],
  ['cos', plain('cos', 1, ([value]) => circular(value, 'cos', Math.cos))],
  ['tan', plain('tan', 1, ([value]) => circular(value, 'tan', Math.tan))],
  ['int', integer],
  ['float', toFloatFunction],
]);

/** A function with a fixed number of arguments and no named ones. */
function plain(name: string, count: number, compute: (inputs: readonly Value[]) => Value): MathFunction {
  return (inputs, named) => {
    if (inputs.length !== count || named.size > 0) {
      throw new NodeError(
        'TypeError',
        `${name}() takes exactly ${count} argument(s) (${inputs.length} given)`,
      );
    }
    return compute(inputs);
  };
}

function numeric(value: Value | undefined, name: string): Numeric {
  const number = toNumeric(value ?? null);
  if (number !== undefined) return number;
  throw new NodeError('TypeError', `${name}() needs a number, not '${typeOf(value ?? null)}'`);
}

function float(value: Value | undefined, name: string): number {
  return toFloat(numeric(value, name));
}

/** NaN from a number is an error. */
function inDomain(result: number): number {
  if (Number.isNaN(result)) throw valueError('math domain error');
  return result;
}

/** Both `sum(values)` and `sum(a, b, c)`. */
function sum(inputs: readonly Value[], named: Named): Value {
  if (named.size > 0) throw new NodeError('TypeError', 'sum() takes no keyword arguments');
  const [first] = inputs;
  const items = inputs.length === 1 && first !== undefined && isList(first) ? first : inputs;
  if (items.length === 1 && typeof items[0] === 'string') {
    throw new NodeError('TypeError', "unsupported operand type(s) for +: 'int' and 'str'");
  }
  return items.reduce<Value>((total, item) => binaryOperation('+', total, item), 0n);
}

function extreme(name: 'min' | 'max', inputs: readonly Value[], named: Named): Value {
  for (const key of named.keys()) {
    if (key !== 'default') throw new NodeError('TypeError', `${name}() cannot use '${key}' in an expression`);
  }
  const [only] = inputs;
  if (only === undefined) throw new NodeError('TypeError', `${name} expected at least 1 argument, got 0`);
  const items = inputs.length > 1 ? inputs : itemsOf(only, name);
  const [first, ...others] = items;
  if (first === undefined) {
    const fallback = named.get('default');
    if (fallback !== undefined) return fallback;
    throw valueError(`${name}() arg is an empty sequence`);
  }
  // The first of equal values stays, and so does one before NaN.
  return others.reduce(
    (best, item) => (compare(name === 'min' ? '<' : '>', item, best) ? item : best),
    first,
  );
}

function itemsOf(value: Value, name: string): readonly Value[] {
  if (isList(value)) return value;
  if (typeof value === 'string') return Array.from(value);
  throw new NodeError(
    'TypeError',
    `'${typeOf(value)}' object is not iterable: ${name}() needs several numbers`,
  );
}

function round(inputs: readonly Value[], named: Named): Value {
  const [value = named.get('number'), digits = named.get('ndigits') ?? null] = inputs;
  if (value === undefined || inputs.length > 2) {
    throw new NodeError('TypeError', `round() takes 1 or 2 arguments (${inputs.length} given)`);
  }
  const number = numeric(value, 'round');
  if (digits === null) return typeof number === 'bigint' ? number : roundToInteger(number);
  const count = toNumeric(digits);
  if (typeof count !== 'bigint') {
    throw new NodeError('TypeError', `'${typeOf(digits)}' object cannot be interpreted as an integer`);
  }
  // More digits than a float has, or fewer than an integer here has, change nothing.
  const bounded = Number(count < -5000n ? -5000n : count > 5000n ? 5000n : count);
  if (typeof number === 'bigint') return roundInteger(number, bounded);
  return roundFloat(number, bounded);
}

function roundToInteger(value: number): bigint {
  if (!Number.isFinite(value)) return truncateFloat(value);
  const floor = Math.floor(value);
  const rest = value - floor;
  return BigInt(rest > 0.5 || (rest === 0.5 && floor % 2 !== 0) ? floor + 1 : floor);
}

function limitedPower(base: Value | undefined, exponent: Value | undefined): Value {
  const power2 = numeric(exponent, 'pow');
  if (absolute(power2) > MAX_EXPONENT) {
    throw valueError(`Exponent ${power2} exceeds maximum allowed (${MAX_EXPONENT})`);
  }
  return power(numeric(base, 'pow'), power2);
}

function toInteger(value: Value | undefined, name: string, rounding: (value: number) => number): bigint {
  const number = numeric(value, name);
  return typeof number === 'bigint' ? number : truncateFloat(rounding(number));
}

function log(inputs: readonly Value[], named: Named): Value {
  if (inputs.length < 1 || inputs.length > 2 || named.size > 0) {
    throw new NodeError('TypeError', `log expected 1 or 2 arguments, got ${inputs.length}`);
  }
  const [value, base] = inputs.map((input) => logarithm(numeric(input, 'log'), Math.log, Math.LN2));
  if (value === undefined || base === undefined) return value ?? null;
  if (base === 0) throw new NodeError('ZeroDivisionError', 'division by zero');
  return value / base;
}

/** `perBit` is the logarithm of two. Integers that no float holds are split in two. */
function logarithm(value: Numeric, ofFloat: (value: number) => number, perBit: number): number {
  if (value <= 0) throw valueError('math domain error');
  if (typeof value === 'number') return ofFloat(value);
  const bits = bitLength(value);
  if (bits <= 1000) return ofFloat(Number(value));
  const shift = bits - 64;
  return ofFloat(Number(value >> BigInt(shift))) + shift * perBit;
}

/** `Math.log10` may miss whole results by the last digit. */
function exactLog10(value: number): number {
  const result = Math.log10(value);
  const whole = Math.round(result);
  return Number(`1e${whole}`) === value ? whole : result;
}

function exactLog2(value: number): number {
  const result = Math.log2(value);
  const whole = Math.round(result);
  return 2 ** whole === value ? whole : result;
}

function circular(value: Value | undefined, name: string, compute: (value: number) => number): number {
  const angle = float(value, name);
  return Number.isNaN(angle) ? angle : inDomain(compute(angle));
}

function integer(inputs: readonly Value[], named: Named): Value {
  const [value, base] = inputs;
  if (named.size > 0 || inputs.length > 2) throw new NodeError('TypeError', 'int() takes one or two values');
  if (value === undefined) return 0n;
  if (base !== undefined) return integerOfBase(value, base);
  if (typeof value !== 'string') {
    const number = numeric(value, 'int');
    return typeof number === 'bigint' ? number : truncateFloat(number);
  }
  const parsed = parseInteger(value);
  if (parsed === undefined) throw valueError(`invalid literal for int() with base 10: '${value}'`);
  return parsed;
}

function integerOfBase(value: Value, base: Value): bigint {
  const radix = Number(numeric(base, 'int'));
  if (typeof value !== 'string')
    throw new NodeError('TypeError', "int() can't convert non-string with explicit base");
  const prefix = { 2: '0b', 8: '0o', 16: '0x' }[radix];
  const digits = value.trim().toLowerCase();
  if (radix === 10) return parseInteger(value) ?? badDigits(value, radix);
  if (prefix === undefined || !/^[+-]?(?:0[box])?[0-9a-f]{1,1000}$/.test(digits))
    return badDigits(value, radix);
  const magnitude = digits.replace(/^[+-]/, '').replace(new RegExp(`^${prefix}`), '');
  if (Array.from(magnitude).some((digit) => Number.isNaN(Number.parseInt(digit, radix))))
    return badDigits(value, radix);
  return BigInt(prefix + magnitude) * (digits.startsWith('-') ? -1n : 1n);
}

function badDigits(value: string, radix: number): never {
  throw valueError(`invalid literal for int() with base ${radix}: '${value}'`);
}

function toFloatFunction(inputs: readonly Value[], named: Named): Value {
  const [value] = inputs;
  if (named.size > 0 || inputs.length > 1)
    throw new NodeError('TypeError', 'float expected at most 1 argument');
  if (value === undefined) return 0;
  if (typeof value !== 'string') return float(value, 'float');
  const parsed = parseFloatText(value);
  if (parsed === undefined) throw valueError(`could not convert string to float: '${value}'`);
  return parsed;
}
