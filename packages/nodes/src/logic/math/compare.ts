import { NodeError } from '@atelier/engine';
import { FunctionName, isList, type Numeric, toNumeric, typeOf, type Value } from './operators.ts';

const COMPARISONS: Readonly<Record<string, (left: Value, right: Value) => boolean>> = {
  '==': areEqual,
  '!=': (left, right) => !areEqual(left, right),
  is: areSame,
  'is not': (left, right) => !areSame(left, right),
  in: (left, right) => contains(right, left),
  'not in': (left, right) => !contains(right, left),
};

/** Compares integers and floats by their exact values. */
export function compare(operator: string, left: Value, right: Value): boolean {
  return COMPARISONS[operator]?.(left, right) ?? isOrdered(operator, left, right);
}

export function areEqual(left: Value, right: Value): boolean {
  const a = toNumeric(left);
  const b = toNumeric(right);
  // Loose equality of a bigint and a number is exact.
  if (a !== undefined && b !== undefined) return a == b;
  if (isList(left) && isList(right)) {
    return left.length === right.length && left.every((item, index) => areEqual(item, right[index] ?? null));
  }
  if (left instanceof FunctionName && right instanceof FunctionName) return left.name === right.name;
  return left === right;
}

/** Values here have no identity of their own. */
function areSame(left: Value, right: Value): boolean {
  return typeOf(left) === typeOf(right) && areEqual(left, right);
}

function contains(container: Value, item: Value): boolean {
  if (isList(container)) return container.some((member) => areEqual(member, item));
  if (typeof container === 'string' && typeof item === 'string') return container.includes(item);
  throw new NodeError('TypeError', `argument of type '${typeOf(container)}' is not iterable`);
}

function isOrdered(operator: string, left: Value, right: Value): boolean {
  const a = toNumeric(left);
  const b = toNumeric(right);
  if (a !== undefined && b !== undefined) return ordered(operator, a, b);
  if (typeof left === 'string' && typeof right === 'string')
    return ordered(operator, compareTexts(left, right), 0);
  throw new NodeError(
    'TypeError',
    `'${operator}' not supported between instances of '${typeOf(left)}' and '${typeOf(right)}'`,
  );
}

function ordered(operator: string, a: Numeric, b: Numeric): boolean {
  if (operator.startsWith('<')) return operator === '<' ? a < b : a <= b;
  return operator === '>' ? a > b : a >= b;
}

/** By code points, because UTF-16 units have another order. */
function compareTexts(left: string, right: string): number {
  const a = Array.from(left, (letter) => letter.codePointAt(0) ?? 0);
  const b = Array.from(right, (letter) => letter.codePointAt(0) ?? 0);
  const index = a.findIndex((code, position) => code !== b[position]);
  if (index === -1) return a.length - b.length;
  return (a[index] ?? 0) - (b[index] ?? -1);
}
