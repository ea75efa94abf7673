import { NodeError } from '@atelier/engine';
import { FUNCTIONS } from './functions.ts';
import { FunctionName, type Value } from './operators.ts';
import { parseExpression } from './parse-expression.ts';

/** Evaluates Python arithmetic without running any of it as code. */
export function evaluate(text: string, names: ReadonlyMap<string, Value>): Value {
  const parsed = parseExpression(text, {
    valueOf(name) {
      const value = names.get(name);
      if (value !== undefined) return value;
      if (FUNCTIONS.has(name)) return new FunctionName(name);
      const where = `for expression '${shorten(text)}'`;
      throw new NodeError('simpleeval.NameNotDefined', `'${name}' is not defined ${where}`);
    },
    functionOf(name) {
      const found = FUNCTIONS.get(name);
      if (found) return found;
      const where = `for expression '${shorten(text)}'`;
      throw new NodeError('simpleeval.FunctionNotDefined', `Function '${name}' not defined, ${where}.`);
    },
  });
  return parsed.value();
}

export function shorten(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
