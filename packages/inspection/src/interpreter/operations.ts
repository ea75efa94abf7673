import type { Machine } from './machine.ts';
import { gapsOfAll, isKind, keyText, type List, UNKNOWN, type Value } from './values.ts';

const MAX_TEXT_LENGTH = 20_000;
const MAX_ITERATED_LENGTH = 1000;
const MAX_REPEATED = 1000;

export function operate(machine: Machine, operator: string, operands: readonly Value[]): Value {
  const [left = UNKNOWN, right = UNKNOWN] = operands;
  if (operands.length === 1) return negate(operator, left);
  if (operator === 'and' || operator === 'or') return choose(operator, operands);
  const compare = operands.length === 2 ? COMPARISONS.get(operator) : undefined;
  if (compare) return compare(left, right);
  if (operator === '+' && operands.every((one) => typeof one === 'string')) return joinText(operands);
  if (operator === '+' && operands.every((one) => isKind(one, 'list'))) return concatenate(machine, operands);
  if (operator === '*' && operands.length === 2) {
    const repeated = repeat(machine, left, right);
    if (repeated !== UNKNOWN) return repeated;
  }
  if (operator === '|' && operands.every((one) => isKind(one, 'dict'))) {
    machine.step(operands.reduce((sum, one) => sum + one.entries.size, 0));
    const entries = operands.flatMap((one) => [...one.entries]);
    return machine.dict(entries, gapsOfAll(operands));
  }
  const calculate = ARITHMETIC.get(operator);
  if (!calculate || operands.length < 2 || !operands.every((one) => typeof one === 'number')) return UNKNOWN;
  const value = operands.reduce((sum, one) => calculate(sum, one));
  return Number.isFinite(value) ? value : UNKNOWN;
}

/** The truth value in Python; `undefined` if unknown. */
export function truth(value: Value): boolean | undefined {
  if (value === null) return false;
  if (typeof value === 'boolean') return value;
  if (typeof value === 'string') return value !== '';
  if (typeof value === 'number' || typeof value === 'bigint') return Number(value) !== 0;
  if (isKind(value, 'list')) return value.gaps === 0 ? value.items.length > 0 : undefined;
  if (isKind(value, 'dict')) return value.gaps === 0 ? value.entries.size > 0 : undefined;
  return isKind(value, 'class') || isKind(value, 'function') || isKind(value, 'module') ? true : undefined;
}

export function joinText(parts: readonly Value[]): Value {
  const texts = parts.map((part) =>
    typeof part === 'string' || typeof part === 'number' ? String(part) : undefined,
  );
  if (texts.includes(undefined)) return UNKNOWN;
  const text = texts.join('');
  return text.length <= MAX_TEXT_LENGTH ? text : UNKNOWN;
}

export function itemOf(of: Value, key: Value): Value {
  if (isKind(of, 'dict')) {
    const text = keyText(key);
    return text === undefined ? UNKNOWN : (of.entries.get(text) ?? UNKNOWN);
  }
  if (typeof key !== 'number') return UNKNOWN;
  if (typeof of === 'string') return of.at(key) ?? UNKNOWN;
  return isKind(of, 'list') && of.gaps === 0 ? (of.items.at(key) ?? UNKNOWN) : UNKNOWN;
}

export function iterate(machine: Machine, value: Value) {
  if (isKind(value, 'list')) {
    machine.step(value.items.length);
    return { items: [...value.items], gaps: value.gaps };
  }
  if (isKind(value, 'dict')) {
    machine.step(value.entries.size);
    return { items: [...value.entries.keys()], gaps: value.gaps };
  }
  return typeof value === 'string' && value.length <= MAX_ITERATED_LENGTH
    ? { items: Array.from(value), gaps: 0 }
    : undefined;
}

function negate(operator: string, value: Value): Value {
  if (operator === 'not') return not(truth(value) ?? UNKNOWN);
  if (typeof value !== 'number' && typeof value !== 'bigint') return UNKNOWN;
  if (operator === '-') return -value;
  return operator === '+' ? value : UNKNOWN;
}

function choose(operator: 'and' | 'or', operands: readonly Value[]): Value {
  for (const [index, one] of operands.entries()) {
    const known = truth(one);
    if (known === undefined) return operator === 'or' && isKind(one, 'external') ? one : UNKNOWN;
    if (known === (operator === 'or') || index === operands.length - 1) return one;
  }
  return UNKNOWN;
}

type Comparison = (left: Value, right: Value) => boolean | typeof UNKNOWN;

const not = (known: boolean | typeof UNKNOWN) => (known === UNKNOWN ? UNKNOWN : !known);
const ofNumbers =
  (compare: (left: number, right: number) => boolean): Comparison =>
  (left, right) =>
    typeof left === 'number' && typeof right === 'number' ? compare(left, right) : UNKNOWN;

const COMPARISONS: ReadonlyMap<string, Comparison> = new Map<string, Comparison>([
  ['==', areEqual],
  ['is', areEqual],
  ['!=', (left, right) => not(areEqual(left, right))],
  ['is not', (left, right) => not(areEqual(left, right))],
  ['in', (left, right) => contains(right, left)],
  ['not in', (left, right) => not(contains(right, left))],
  ['<', ofNumbers((left, right) => left < right)],
  ['>', ofNumbers((left, right) => left > right)],
  ['<=', ofNumbers((left, right) => left <= right)],
  ['>=', ofNumbers((left, right) => left >= right)],
]);

function areEqual(left: Value, right: Value): boolean | typeof UNKNOWN {
  return isPlain(left) && isPlain(right) ? left === right : UNKNOWN;
}

function contains(of: Value, item: Value): boolean | typeof UNKNOWN {
  if (!isPlain(item)) return UNKNOWN;
  if (typeof of === 'string')
    return typeof item === 'string' && of.length <= MAX_TEXT_LENGTH ? of.includes(item) : UNKNOWN;
  if (isKind(of, 'dict') && of.gaps === 0) return of.entries.has(keyText(item) ?? '');
  return isKind(of, 'list') && of.gaps === 0 && of.items.every(isPlain) ? of.items.includes(item) : UNKNOWN;
}

function isPlain(value: Value): value is string | number | bigint | boolean | null {
  return value === null || (typeof value !== 'object' && value !== UNKNOWN);
}

function concatenate(machine: Machine, lists: readonly List[]): Value {
  machine.step(lists.reduce((sum, one) => sum + one.items.length, 0));
  const items = lists.flatMap((one) => one.items);
  return machine.list(items, gapsOfAll(lists));
}

/** `("STRING",) * 3`, `"ab" * 2` */
function repeat(machine: Machine, left: Value, right: Value): Value {
  const what: Value = typeof left === 'number' ? right : left;
  const times: Value = typeof left === 'number' ? left : right;
  if (typeof times !== 'number' || times > MAX_REPEATED) return UNKNOWN;
  const count = Math.max(0, times);
  if (typeof what === 'string') return what.length * count <= MAX_TEXT_LENGTH ? what.repeat(count) : UNKNOWN;
  if (!isKind(what, 'list')) return UNKNOWN;
  machine.step(what.items.length * count);
  return machine.list(Array.from({ length: count }, () => what.items).flat(), what.gaps);
}

type Arithmetic = (left: number, right: number) => number;

const ARITHMETIC: ReadonlyMap<string, Arithmetic> = new Map<string, Arithmetic>([
  ['+', (left, right) => left + right],
  ['-', (left, right) => left - right],
  ['*', (left, right) => left * right],
  ['/', (left, right) => left / right],
  ['//', (left, right) => Math.floor(left / right)],
  ['%', (left, right) => (right > 0 && left >= 0 ? left % right : Number.NaN)],
  ['**', (left, right) => left ** right],
]);
