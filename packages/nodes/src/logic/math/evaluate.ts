import { NodeError, valueError } from '@atelier/engine';
import { compare } from './compare.ts';
import { FUNCTIONS } from './functions.ts';
import { binaryOperation, FunctionName, isList, toNumeric, typeOf, type Value } from './operators.ts';
import { type Expression, parseExpression } from './parse-expression.ts';

/** A long row of additions is nested as deeply as it is long. */
const MAX_DEPTH = 1000;

/** Evaluates Python arithmetic without running any of it as code. */
export function evaluate(text: string, names: ReadonlyMap<string, Value>): Value {
  let depth = 0;
  return valueOf(parseExpression(text));

  function valueOf(expression: Expression): Value {
    depth += 1;
    if (depth > MAX_DEPTH)
      throw new NodeError('RecursionError', 'The expression has too many steps in steps.');
    const value = stepValue(expression);
    depth -= 1;
    return value;
  }

  function stepValue(expression: Expression): Value {
    switch (expression.kind) {
      case 'constant':
        return expression.value;
      case 'name':
        return nameValue(expression.name);
      case 'unary':
        return unaryOperation(expression.operator, valueOf(expression.operand));
      case 'binary':
        return binaryOperation(expression.operator, valueOf(expression.left), valueOf(expression.right));
      case 'logic':
        return logicValue(expression.operator, expression.operands);
      case 'compare':
        return compareValue(expression.first, expression.rest);
      case 'either':
        return isTrue(valueOf(expression.test)) ? valueOf(expression.yes) : valueOf(expression.no);
      case 'call':
        return callValue(expression);
      case 'item':
        return itemValue(valueOf(expression.container), valueOf(expression.index));
      case 'slice': {
        const [start, stop, step] = expression.bounds.map((part) => (part ? valueOf(part) : null));
        return sliceValue(valueOf(expression.container), start ?? null, stop ?? null, step ?? null);
      }
    }
  }

  function nameValue(name: string): Value {
    const value = names.get(name);
    if (value !== undefined) return value;
    if (FUNCTIONS.has(name)) return new FunctionName(name);
    throw new NodeError(
      'simpleeval.NameNotDefined',
      `'${name}' is not defined for expression '${shorten(text)}'`,
    );
  }

  function callValue({ name, inputs, named }: Expression & { kind: 'call' }): Value {
    const call = FUNCTIONS.get(name);
    if (!call) {
      throw new NodeError(
        'simpleeval.FunctionNotDefined',
        `Function '${name}' not defined, for expression '${shorten(text)}'.`,
      );
    }
    return call(inputs.map(valueOf), new Map(Array.from(named, ([key, value]) => [key, valueOf(value)])));
  }

  function logicValue(operator: 'and' | 'or', operands: readonly Expression[]): Value {
    let value: Value = false;
    for (const operand of operands) {
      value = valueOf(operand);
      if (isTrue(value) === (operator === 'or')) break;
    }
    return value;
  }

  function compareValue(
    first: Expression,
    rest: readonly { readonly operator: string; readonly operand: Expression }[],
  ): Value {
    let left = valueOf(first);
    for (const { operator, operand } of rest) {
      const right = valueOf(operand);
      if (!compare(operator, left, right)) return false;
      left = right;
    }
    return true;
  }
}

export function shorten(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

export function isTrue(value: Value): boolean {
  const number = toNumeric(value);
  if (number !== undefined) return typeof number === 'bigint' ? number !== 0n : number !== 0;
  if (typeof value === 'string' || isList(value)) return value.length > 0;
  return value !== null;
}

function unaryOperation(operator: string, value: Value): Value {
  if (operator === 'not') return !isTrue(value);
  const number = toNumeric(value);
  if (number === undefined || (operator === '~' && typeof number === 'number')) {
    throw new NodeError('TypeError', `bad operand type for unary ${operator}: '${typeOf(value)}'`);
  }
  if (operator === '+') return number;
  return operator === '-' ? -number : ~BigInt(number);
}

function itemValue(container: Value, index: Value): Value {
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

function sliceValue(container: Value, start: Value, stop: Value, step: Value): Value {
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
