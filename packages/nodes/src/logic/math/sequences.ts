import { NodeError, valueError } from '@atelier/engine';
import { isList, toNumeric, typeOf, type Value } from './operators.ts';

export function itemValue(container: Value, index: Value): Value {
  const items = sequence(container);
  const position = toNumeric(index);
  if (typeof position !== 'bigint') {
    throw new NodeError('TypeError', `${typeOf(container)} indices must be integers, not ${typeOf(index)}`);
  }
  const offset = Number(position < 0n ? position + BigInt(items.length) : position);
  const item = items[offset];
  if (item === undefined) throw new NodeError('IndexError', `${typeOf(container)} index out of range`);
  return item;
}

export function sliceValue(container: Value, bounds: readonly Value[]): Value {
  const [start = null, stop = null, step = null] = bounds;
  const items = sequence(container);
  const by = bound(step) ?? 1;
  if (by === 0) throw valueError('slice step cannot be zero');
  const [lowest, highest] = by < 0 ? [-1, items.length - 1] : [0, items.length];
  const clamp = (index: number): number =>
    Math.min(Math.max(index < 0 ? index + items.length : index, lowest), highest);
  const [first, last] = [bound(start), bound(stop)];
  const from = first === undefined ? (by < 0 ? highest : lowest) : clamp(first);
  const to = last === undefined ? (by < 0 ? lowest : highest) : clamp(last);
  const taken: Value[] = [];
  for (let index = from; by < 0 ? index > to : index < to; index += by) taken.push(items[index] ?? null);
  return typeof container === 'string' ? taken.map(String).join('') : taken;
}

function sequence(value: Value): readonly Value[] {
  if (isList(value)) return value;
  if (typeof value === 'string') return Array.from(value);
  throw new NodeError('TypeError', `'${typeOf(value)}' object is not subscriptable`);
}

function bound(value: Value): number | undefined {
  if (value === null) return undefined;
  const number = toNumeric(value);
  if (typeof number === 'bigint') return Number(number);
  throw new NodeError('TypeError', 'slice indices must be integers or None or have an __index__ method');
}
