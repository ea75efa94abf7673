import { NodeError, valueError } from '@atelier/engine';
import { compare } from './compare.ts';
import type { MathFunction } from './functions.ts';
import { binaryOperation, isTrue, unaryOperation, type Value } from './operators.ts';
import { itemValue, sliceValue } from './sequences.ts';
import { syntaxError, type Token, tokenize } from './tokens.ts';

/** A part of an expression, as a function that computes it: Python skips the branch that a condition does not take. */
export interface Expression {
  readonly value: () => Value;
  /** The name, if the expression is one, so that it can be called or assigned. */
  readonly name?: string;
  readonly isItem?: boolean;
}

/** The values of names. */
export interface Environment {
  valueOf(name: string): Value;
  functionOf(name: string): MathFunction;
}

const MAX_LENGTH = 10_000;
const MAX_NESTING = 100;
const MAX_DEPTH = 1000;
const KEYWORDS = new Set(
  'and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'.split(
    ' ',
  ),
);
/** Left-associative, the loosest first. */
const BINARY = [['|'], ['^'], ['&'], ['<<', '>>'], ['+', '-'], ['*', '/', '//', '%', '@']];
const COMPARISONS = new Set(['<', '>', '==', '>=', '<=', '!=', 'in', 'not in', 'is', 'is not']);
const ASSIGNMENT = /^(?:[-+*/%&|^@]|\*\*|\/\/|<<|>>)?=$/;

/**
 * Reads Python expressions. Only the first statement and the right side of an assignment count, but all must be well formed.
 */
export function parseExpression(text: string, environment: Environment): Expression {
  if (text.length > MAX_LENGTH) {
    throw valueError(`The expression is longer than ${MAX_LENGTH} characters.`);
  }
  const tokens = tokenize(text);
  let position = 0;
  let nesting = 0;
  let depth = 0;

  function peek(): Token {
    return tokens[position] ?? { kind: 'end', value: '' };
  }

  function isMark(value: string): boolean {
    const token = peek();
    return token.kind === 'mark' && token.value === value;
  }

  function isWord(value: string): boolean {
    const token = peek();
    return token.kind === 'name' && token.value === value;
  }

  function accept(value: string): boolean {
    if (!isMark(value) && !isWord(value)) return false;
    position += 1;
    return true;
  }

  function expect(value: string): void {
    if (!accept(value)) throw syntaxError(`expected '${value}' before '${describe(peek())}'`);
  }

  function statements(): Expression {
    let first: Expression | undefined;
    while (position < tokens.length) {
      if (peek().kind === 'end') {
        position += 1;
        continue;
      }
      const value = statement();
      first ??= value;
    }
    if (!first) throw new NodeError('simpleeval.InvalidExpression', 'Sorry, there is nothing to evaluate.');
    return first;
  }

  function statement(): Expression {
    if (isWord('import') || isMark('*')) throw notAvailable(String(peek().value));
    const value = expression();
    const token = peek();
    if (isMark(',')) throw notAvailable('tuples');
    if (token.kind === 'mark' && ASSIGNMENT.test(token.value)) {
      if (value.name === undefined && !value.isItem) throw syntaxError('cannot assign to expression');
      position += 1;
      return statement();
    }
    if (token.kind !== 'end') throw syntaxError(`unexpected '${describe(token)}'`);
    return value;
  }

  function expression(): Expression {
    nesting += 1;
    if (nesting > MAX_NESTING) throw new NodeError('RecursionError', 'The expression is nested too deeply.');
    const yes = logic('or');
    let result = yes;
    if (accept('if')) {
      const test = logic('or');
      expect('else');
      const no = expression();
      result = step(() => (isTrue(test.value()) ? yes.value() : no.value()));
    }
    nesting -= 1;
    return result;
  }

  function logic(operator: 'and' | 'or'): Expression {
    const next = operator === 'or' ? (): Expression => logic('and') : negation;
    const first = next();
    const operands = [first];
    while (accept(operator)) operands.push(next());
    if (operands.length === 1) return first;
    return step(() => {
      let value: Value = false;
      for (const operand of operands) {
        value = operand.value();
        if (isTrue(value) === (operator === 'or')) break;
      }
      return value;
    });
  }

  function negation(): Expression {
    let count = 0;
    while (accept('not')) count += 1;
    let result = comparison();
    for (; count > 0; count -= 1) result = unaryOf('not', result);
    return result;
  }

  function comparison(): Expression {
    const first = binary(0);
    const rest: { operator: string; operand: Expression }[] = [];
    for (let operator = comparator(); operator !== undefined; operator = comparator()) {
      rest.push({ operator, operand: binary(0) });
    }
    if (rest.length === 0) return first;
    return step(() => {
      let left = first.value();
      return rest.every(({ operator, operand }) => {
        const right = operand.value();
        const holds = compare(operator, left, right);
        left = right;
        return holds;
      });
    });
  }

  function comparator(): string | undefined {
    const { value } = peek();
    if (peek().kind === 'text') return undefined;
    if (value === 'not') {
      position += 1;
      expect('in');
      return 'not in';
    }
    if (typeof value !== 'string' || !COMPARISONS.has(value)) return undefined;
    position += 1;
    return value === 'is' && accept('not') ? 'is not' : value;
  }

  function binary(level: number): Expression {
    const operators = BINARY[level];
    if (!operators) return unary();
    let left = binary(level + 1);
    for (;;) {
      const operator = operators.find(isMark);
      if (operator === undefined) return left;
      position += 1;
      left = binaryOf(operator, left, binary(level + 1));
    }
  }

  function unary(): Expression {
    const operators: string[] = [];
    for (;;) {
      const operator = ['-', '+', '~'].find(isMark);
      if (operator === undefined) break;
      position += 1;
      operators.push(operator);
    }
    let result = power();
    for (const operator of operators.toReversed()) result = unaryOf(operator, result);
    return result;
  }

  /** Binds tighter than a sign before it, and looser than one after it. */
  function power(): Expression {
    const left = primary();
    if (!accept('**')) return left;
    nesting += 1;
    if (nesting > MAX_NESTING) throw new NodeError('RecursionError', 'The expression is nested too deeply.');
    const right = unary();
    nesting -= 1;
    return binaryOf('**', left, right);
  }

  function primary(): Expression {
    let result = atom();
    for (;;) {
      if (accept('(')) result = call(result);
      else if (accept('[')) result = subscript(result);
      else if (accept('.')) throw attribute();
      else return result;
    }
  }

  function attribute(): NodeError {
    return peek().kind === 'name'
      ? notAvailable('attributes')
      : syntaxError('a name is missing after the point');
  }

  function call(callee: Expression): Expression {
    const { name } = callee;
    if (name === undefined) throw notAvailable('calling anything but a function');
    const inputs: Expression[] = [];
    const named = new Map<string, Expression>();
    while (!accept(')')) {
      if (isMark('*') || isMark('**')) throw notAvailable('unpacking');
      const value = expression();
      if (value.name !== undefined && accept('=')) named.set(value.name, expression());
      else if (named.size > 0) throw syntaxError('positional argument follows keyword argument');
      else inputs.push(value);
      if (!isMark(')')) expect(',');
    }
    return step(() => {
      const compute = environment.functionOf(name);
      return compute(
        inputs.map((input) => input.value()),
        new Map(Array.from(named, ([key, input]) => [key, input.value()])),
      );
    });
  }

  function subscript(container: Expression): Expression {
    const parts: (Expression | undefined)[] = [undefined];
    while (!accept(']')) {
      if (accept(':')) parts.push(undefined);
      else if (isMark(',')) throw notAvailable('tuples');
      else if (parts.at(-1) === undefined) parts[parts.length - 1] = expression();
      else throw syntaxError(`expected ']' before '${describe(peek())}'`);
    }
    const [index] = parts;
    if (parts.length > 3) throw syntaxError('a slice has at most three parts');
    if (parts.length > 1)
      return step(() =>
        sliceValue(
          container.value(),
          parts.map((part) => part?.value() ?? null),
        ),
      );
    if (!index) throw syntaxError('an index is missing');
    return step(() => itemValue(container.value(), index.value()), { isItem: true });
  }

  function atom(): Expression {
    const token = peek();
    position += 1;
    switch (token.kind) {
      case 'integer':
      case 'float':
        return step(() => token.value);
      case 'text': {
        let { value } = token;
        // Adjacent texts are one.
        for (let next = peek(); next.kind === 'text'; next = peek()) {
          value += next.value;
          position += 1;
        }
        return step(() => value);
      }
      case 'name':
        if (peek().kind === 'text') throw notAvailable('f-strings');
        return nameOf(token.value);
      case 'mark':
        if (token.value === '(') return parenthesized();
        if (token.value === '[' || token.value === '{') throw notAvailable('lists and sets');
        throw syntaxError(`unexpected '${token.value}'`);
      case 'end':
        throw syntaxError('it ends too soon');
    }
  }

  function parenthesized(): Expression {
    if (isMark(')')) throw notAvailable('tuples');
    const value = expression();
    if (isMark(',')) throw notAvailable('tuples');
    expect(')');
    return value;
  }

  function nameOf(name: string): Expression {
    if (name === 'True' || name === 'False') return step(() => name === 'True');
    if (name === 'None') return step(() => null);
    if (name === 'lambda') throw notAvailable('lambda');
    if (KEYWORDS.has(name)) throw syntaxError(`unexpected '${name}'`);
    return step(() => environment.valueOf(name), { name });
  }

  /** A long sum is nested as deeply as it is long. */
  function step(compute: () => Value, about: Omit<Expression, 'value'> = {}): Expression {
    return {
      ...about,
      value() {
        depth += 1;
        if (depth > MAX_DEPTH)
          throw new NodeError('RecursionError', 'The expression has too many steps in steps.');
        const value = compute();
        depth -= 1;
        return value;
      },
    };
  }

  function unaryOf(operator: string, operand: Expression): Expression {
    return step(() => unaryOperation(operator, operand.value()));
  }

  function binaryOf(operator: string, left: Expression, right: Expression): Expression {
    return step(() => binaryOperation(operator, left.value(), right.value()));
  }

  return statements();
}

function describe(token: Token): string {
  return token.kind === 'end' ? 'end' : String(token.value);
}

function notAvailable(what: string): NodeError {
  return new NodeError('simpleeval.FeatureNotAvailable', `Sorry, ${what} cannot be used in an expression.`);
}
