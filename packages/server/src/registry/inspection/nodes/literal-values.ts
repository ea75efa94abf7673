import { exportedBounds, followImport, lookUp, moduleScope, namedModule } from '../python/lookup.ts';
import type { Modules } from '../python/modules.ts';
import type { Bound, Scope } from '../python/scopes.ts';
import type { Call, Expression } from '../python/syntax.ts';
import { type Classes, enclosingClass, isTextClass } from './classes.ts';

/** Only running the code would tell. */
export const UNKNOWN = Symbol('unknown');
export type Value = string | number | bigint | boolean | null | Value[] | Map<string, Value> | typeof UNKNOWN;

/** A few lines can stand for a value without end: each name may be followed so often in all. */
const STEPS = 20_000;
const DEEPEST = 60;
const LONGEST_TEXT = 20_000;

export interface Literals {
  valueOf(expression: Expression, scope: Scope): Value;
  /** What a class has under a name, its bases included. */
  memberOf(owner: Scope, name: string): Value;
  /** What a function returns: the first of its values that is known. */
  returnOf(bound: Bound | undefined): Value;
}

/** Values that the sources spell out, followed through names, classes and modules of the pack. */
export function createLiterals(modules: Modules, classes: Classes): Literals {
  let steps = 0;
  let depth = 0;

  function valueOf(expression: Expression, scope: Scope): Value {
    steps += 1;
    if (steps > STEPS || depth > DEEPEST) return UNKNOWN;
    depth += 1;
    const value = evaluate(expression, scope);
    depth -= 1;
    return value;
  }

  function evaluate(expression: Expression, scope: Scope): Value {
    switch (expression.kind) {
      case 'text':
        return expression.value;
      case 'number':
        return Number.isNaN(expression.value) ? UNKNOWN : expression.value;
      case 'constant':
        return expression.value;
      case 'format':
        return joined(
          expression.parts.map((part) => (typeof part === 'string' ? part : valueOf(part, scope))),
        );
      case 'sequence':
        return expression.items.flatMap((item): Value[] => {
          const [starred] = item.kind === 'other' ? item.parts : [];
          if (!starred) return [valueOf(item, scope)];
          const spread = valueOf(starred, scope);
          return Array.isArray(spread) ? spread : [UNKNOWN];
        });
      case 'dictionary':
        return dictionary(expression.entries, scope);
      case 'operation':
        return operate(
          expression.operator,
          expression.operands.map((operand) => valueOf(operand, scope)),
        );
      case 'name':
        return followName(expression.id, scope);
      case 'attribute':
        return attribute(expression.of, expression.id, scope);
      case 'index':
        return itemOf(
          valueOf(expression.of, scope),
          expression.keys.map((key) => valueOf(key, scope)),
        );
      case 'call':
        return call(expression, scope);
      case 'walrus':
        return valueOf(expression.value, scope);
      case 'lambda':
      case 'comprehension':
      case 'other':
        return UNKNOWN;
    }
  }

  function dictionary(entries: readonly { key?: Expression; value: Expression }[], scope: Scope): Value {
    const map = new Map<string, Value>();
    for (const { key, value } of entries) {
      const known = valueOf(value, scope);
      if (!key) {
        if (known instanceof Map) for (const [name, one] of known) map.set(name, one);
        continue;
      }
      const name = keyText(valueOf(key, scope));
      if (name !== undefined) map.set(name, known);
    }
    return map;
  }

  function followName(name: string, scope: Scope): Value {
    const bounds = lookUp(scope, name) ?? exportedBounds(modules, moduleScope(scope), name);
    return boundValue(bounds, scope.file);
  }

  function boundValue(bounds: readonly Bound[] | undefined, file: string): Value {
    const bound = bounds?.findLast((one) => one.kind !== 'value' || !one.isPart);
    if (bound?.kind === 'value') return valueOf(bound.value, bound.scope);
    if (bound?.kind !== 'import') return UNKNOWN;
    const { bounds: imported, home } = followImport(modules, file, bound);
    steps += 1;
    return steps < STEPS ? boundValue(imported, home) : UNKNOWN;
  }

  function attribute(of: Expression, id: string, scope: Scope): Value {
    const module = namedModule(modules, scope, of);
    if (module) return boundValue(exportedBounds(modules, module, id), module.file);
    const isOwn = of.kind === 'name' && scope.parameters[0]?.name === of.id;
    const owner = isOwn ? enclosingClass(scope) : classes.find(of, scope);
    if (owner) return memberOf(owner, id);
    return isTypeTable(of, scope) ? typeNamed(id) : UNKNOWN;
  }

  function call({ callee, args }: Call, scope: Scope): Value {
    const first = args[0]?.stars === 0 && args[0].name === undefined ? args[0].value : undefined;
    if (callee.kind === 'attribute') {
      const owner = classes.find(callee.of, scope);
      const method = owner && classes.member(owner, callee.id);
      if (method?.kind === 'function') return returnOf(method);
      if (callee.id === 'copy') return valueOf(callee.of, scope);
      const object = callee.id === 'keys' ? valueOf(callee.of, scope) : UNKNOWN;
      return object instanceof Map ? [...object.keys()] : UNKNOWN;
    }
    if (callee.kind !== 'name') return UNKNOWN;
    if (callee.id === 'dict') {
      return dictionary(
        args.map(({ name, value }) =>
          name === undefined ? { value } : { key: { kind: 'text', at: value.at, value: name }, value },
        ),
        scope,
      );
    }
    if ((callee.id === 'list' || callee.id === 'tuple') && first) {
      const inner = valueOf(first, scope);
      return inner instanceof Map ? [...inner.keys()] : Array.isArray(inner) ? inner : UNKNOWN;
    }
    const owner = first && classes.find(callee, scope);
    return owner && isTextClass(owner) ? valueOf(first, scope) : UNKNOWN;
  }

  function memberOf(owner: Scope, name: string): Value {
    const bound = classes.member(owner, name);
    return bound?.kind === 'value' ? valueOf(bound.value, bound.scope) : UNKNOWN;
  }

  function returnOf(bound: Bound | undefined): Value {
    if (bound?.kind !== 'function') return UNKNOWN;
    for (const value of bound.scope.returns) {
      const known = valueOf(value, bound.scope);
      if (known !== UNKNOWN) return known;
    }
    return UNKNOWN;
  }

  /** Each value asked for from outside has the whole allowance. */
  const fresh =
    <Rest extends unknown[]>(ask: (...rest: Rest) => Value) =>
    (...rest: Rest) => {
      steps = 0;
      depth = 0;
      return ask(...rest);
    };
  return { valueOf: fresh(valueOf), memberOf: fresh(memberOf), returnOf: fresh(returnOf) };
}

/** `IO.IMAGE` of the host application's typing module. */
function isTypeTable(of: Expression, scope: Scope): boolean {
  if (of.kind !== 'name') return false;
  return (lookUp(scope, of.id) ?? []).some(
    (bound) => bound.kind === 'import' && bound.member === 'IO' && /comfy_types/.test(bound.module),
  );
}

function typeNamed(id: string): Value {
  if (id === 'ANY') return '*';
  if (id === 'NUMBER') return 'FLOAT,INT';
  if (id === 'PRIMITIVE') return 'STRING,FLOAT,INT,BOOLEAN';
  return id;
}

function operate(operator: string, operands: readonly Value[]): Value {
  const [left] = operands;
  if (operator === '-' && operands.length === 1) {
    return typeof left === 'number' || typeof left === 'bigint' ? -left : UNKNOWN;
  }
  if (operator === '+' && operands.every((one) => typeof one === 'string')) return joined(operands);
  if (operator === '+' && operands.every((one) => Array.isArray(one))) return operands.flat();
  if (operator === '|' && operands.every((one) => one instanceof Map)) {
    return new Map(operands.flatMap((one) => [...one]));
  }
  if (operands.length < 2 || !operands.every((one) => typeof one === 'number')) return UNKNOWN;
  const value = operands.reduce((sum, one) => calculate(operator, sum, one));
  return Number.isFinite(value) ? value : UNKNOWN;
}

function calculate(operator: string, left: number, right: number): number {
  switch (operator) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '/':
      return left / right;
    case '//':
      return Math.floor(left / right);
    case '**':
      return left ** right;
    default:
      return Number.NaN;
  }
}

function joined(parts: readonly Value[]): Value {
  const texts = parts.map((part) =>
    typeof part === 'string' || typeof part === 'number' ? String(part) : undefined,
  );
  if (texts.includes(undefined)) return UNKNOWN;
  const text = texts.join('');
  return text.length <= LONGEST_TEXT ? text : UNKNOWN;
}

function itemOf(of: Value, keys: readonly Value[]): Value {
  const [key = UNKNOWN] = keys;
  if (keys.length !== 1) return UNKNOWN;
  if (of instanceof Map) return of.get(keyText(key) ?? '') ?? UNKNOWN;
  return Array.isArray(of) && typeof key === 'number' ? (of.at(key) ?? UNKNOWN) : UNKNOWN;
}

function keyText(key: Value): string | undefined {
  if (typeof key === 'string') return key;
  return typeof key === 'number' || typeof key === 'bigint' ? String(key) : undefined;
}
