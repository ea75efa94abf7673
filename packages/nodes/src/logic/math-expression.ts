import {
  asInteger,
  autogrow,
  defineNode,
  floatRepr,
  isIntegerNumber,
  link,
  optional,
  output,
  string,
  truncateFloat,
  valueError,
} from '@atelier/engine';
import { strip } from '../values/python-text.ts';
import { evaluate, shorten } from './math/evaluate.ts';
import { isTrue, toNumeric, typeOf, type Value } from './math/operators.ts';

const NAMES = Array.from('abcdefghijklmnopqrstuvwxyz');

export const mathExpression = defineNode({
  type: 'ComfyMathExpression',
  title: 'Math Expression',
  category: 'utilities',
  description: 'Computes a number from its inputs with an expression as Python has them.',
  searchAliases: ['math', 'expression', 'formula', 'calculate', 'calculator', 'eval'],
  inputs: {
    expression: string({ default: 'a + b', multiline: true }),
    values: autogrow(optional(link('FLOAT,INT,BOOLEAN')), { names: NAMES, min: 1 }),
  },
  outputs: [
    output('FLOAT', { name: 'FLOAT' }),
    output('INT', { name: 'INT' }),
    output('BOOLEAN', { name: 'BOOL' }),
  ],
  run({ expression, values }) {
    if (strip(expression) === '') throw valueError('Expression cannot be empty.');
    const names = new Map<string, Value>();
    for (const [name, value] of Object.entries(values)) {
      // Whole numbers count as integers, because the socket they came through is not known.
      const isInteger = typeof value === 'number' && isIntegerNumber(value);
      if (value !== undefined) names.set(name, isInteger ? BigInt(value) : value);
    }
    names.set('values', Array.from(names.values()));
    const result = evaluate(strip(expression), names);
    const number = toNumeric(result);
    if (number === undefined) {
      throw valueError(
        `Math Expression '${shorten(expression)}' must evaluate to a numeric result, got ${typeOf(result)}`,
      );
    }
    const float = Number(number);
    if (!Number.isFinite(float)) {
      const what =
        typeof number === 'bigint'
          ? 'a result too large for a float'
          : `a non-finite result: ${floatRepr(float)}`;
      throw valueError(`Math Expression '${shorten(expression)}' produced ${what}`);
    }
    const whole = typeof number === 'bigint' ? number : truncateFloat(number);
    return [float, asInteger(whole), isTrue(result)];
  },
});
