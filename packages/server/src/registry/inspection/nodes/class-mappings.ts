import { exportedBounds, followImport, lookUp, moduleScope, namedModule } from '../python/lookup.ts';
import type { Modules } from '../python/modules.ts';
import type { Bound, Scope } from '../python/scopes.ts';
import type { Call, Comprehension, Expression } from '../python/syntax.ts';
import type { Classes } from './classes.ts';
import type { Literals } from './literal-values.ts';

/** Node names and their classes; a class is missing when it is not one of the pack's own. */
export type Mapping = Map<string, Scope | undefined>;

const DEEPEST = 40;
const LONGEST_NAME = 500;

export interface Mappings {
  /** All that a module puts into its variable of that name. */
  ofVariable(scope: Scope, name: string): Mapping;
}

/** Follows dictionaries from class names to classes through merges, updates and imports. */
export function createMappings(modules: Modules, classes: Classes, literals: Literals): Mappings {
  /** Modules that import each other's mappings end here. */
  const underWay = new Set<string>();
  let depth = 0;

  function ofVariable(scope: Scope, name: string): Mapping {
    const mapping: Mapping = new Map();
    const key = `${scope.file}\n${name}`;
    if (underWay.has(key) || underWay.size > DEEPEST) return mapping;
    underWay.add(key);
    const bounds = scope.names.get(name) ?? exportedBounds(modules, scope, name) ?? [];
    for (const bound of bounds) merge(mapping, ofBound(bound, name, scope.file));
    for (const here of scopesOf(scope)) {
      for (const item of here.items) {
        if (item.name === name) add(mapping, here, item.key, item.value);
      }
      for (const one of here.merges) if (one.name === name) merge(mapping, ofExpression(one.value, here));
      for (const { callee, args } of here.calls) {
        const isUpdate = callee.kind === 'attribute' && callee.id === 'update' && callee.of.kind === 'name';
        if (isUpdate && callee.of.id === name) merge(mapping, ofArguments(args, here));
      }
    }
    underWay.delete(key);
    return mapping;
  }

  function ofBound(bound: Bound, name: string, file: string): Mapping {
    if (bound.kind === 'value') return bound.isPart ? new Map() : ofExpression(bound.value, bound.scope);
    if (bound.kind !== 'import') return new Map();
    const { bounds, owner } = followImport(modules, file, bound);
    return bounds && owner ? ofVariable(owner, bound.member ?? name) : new Map();
  }

  function ofExpression(expression: Expression, scope: Scope): Mapping {
    if (depth > DEEPEST) return new Map();
    depth += 1;
    const mapping = read(expression, scope);
    depth -= 1;
    return mapping;
  }

  function read(expression: Expression, scope: Scope): Mapping {
    if (expression.kind === 'name') return ofName(expression.id, scope);
    if (expression.kind === 'comprehension') return ofComprehension(expression, scope);
    if (expression.kind === 'call') return ofCall(expression, scope);
    const mapping: Mapping = new Map();
    if (expression.kind === 'dictionary') {
      for (const { key, value } of expression.entries) {
        if (key) add(mapping, scope, key, value);
        else merge(mapping, ofExpression(value, scope));
      }
    } else if (expression.kind === 'operation') {
      for (const operand of expression.operands) merge(mapping, ofExpression(operand, scope));
    } else if (expression.kind === 'attribute') {
      const module = namedModule(modules, scope, expression.of);
      if (module) return ofVariable(module, expression.id);
    }
    return mapping;
  }

  function ofName(name: string, scope: Scope): Mapping {
    const mapping: Mapping = new Map();
    const module = moduleScope(scope);
    const bounds = lookUp(scope, name);
    if (!bounds || bounds === module.names.get(name)) return ofVariable(module, name);
    for (const bound of bounds) merge(mapping, ofBound(bound, name, scope.file));
    return mapping;
  }

  /** `dict(...)`, `mapping.copy()`, `getattr(module, 'NODE_CLASS_MAPPINGS', {})`. */
  function ofCall({ callee, args }: Call, scope: Scope): Mapping {
    if (callee.kind === 'attribute' && callee.id === 'copy') return ofExpression(callee.of, scope);
    if (callee.kind !== 'name') return new Map();
    if (callee.id === 'dict') return ofArguments(args, scope);
    const [object, key] = args;
    const module = callee.id === 'getattr' && object ? namedModule(modules, scope, object.value) : undefined;
    return module && key?.value.kind === 'text' ? ofVariable(module, key.value.value) : new Map();
  }

  function ofArguments(args: Call['args'], scope: Scope): Mapping {
    const mapping: Mapping = new Map();
    for (const { name, value } of args) {
      if (name === undefined) merge(mapping, ofExpression(value, scope));
      else mapping.set(name, classes.find(value, scope));
    }
    return mapping;
  }

  /** `{k: v for k, v in mapping.items()}`, `{c.__name__: c for c in (A, B)}`, `{c.NAME: c for c in (A, B)}`. */
  function ofComprehension({ key, element, loops }: Comprehension, scope: Scope): Mapping {
    const mapping: Mapping = new Map();
    const [loop] = loops;
    if (!loop || loops.length > 1 || !key) return mapping;
    const { target, from } = loop;
    if (target.kind === 'sequence' && key.kind === 'name' && from.kind === 'call') {
      const { callee } = from;
      return callee.kind === 'attribute' && callee.id === 'items' ? ofExpression(callee.of, scope) : mapping;
    }
    const isOfItem = (one: Expression) =>
      one.kind === 'name' && target.kind === 'name' && one.id === target.id;
    if (key.kind !== 'attribute' || !isOfItem(key.of) || !isOfItem(element)) return mapping;
    for (const item of listed(from, scope)) {
      const owner = classes.find(item, scope);
      const name = owner && (key.id === '__name__' ? owner.name : literals.memberOf(owner, key.id));
      if (typeof name === 'string') set(mapping, name, owner);
    }
    return mapping;
  }

  function listed(expression: Expression, scope: Scope): readonly Expression[] {
    if (expression.kind === 'sequence') return expression.items;
    if (expression.kind !== 'name') return [];
    const bound = lookUp(scope, expression.id)?.find((one) => one.kind === 'value' && !one.isPart);
    return bound?.kind === 'value' && bound.value.kind === 'sequence' ? bound.value.items : [];
  }

  function add(mapping: Mapping, scope: Scope, key: Expression, value: Expression): void {
    const owner = classes.find(value, scope);
    const isClassName = key.kind === 'attribute' && key.id === '__name__';
    const named = isClassName ? classes.find(key.of, scope)?.name : literals.valueOf(key, scope);
    if (typeof named === 'string') set(mapping, named, owner);
  }

  return { ofVariable };
}

function set(mapping: Mapping, name: string, owner: Scope | undefined): void {
  if (name !== '' && name.length <= LONGEST_NAME) mapping.set(name, owner ?? mapping.get(name));
}

export function merge(mapping: Mapping, more: Mapping): void {
  for (const [name, owner] of more) set(mapping, name, owner);
}

/** A module and the functions and blocks in it: any of them may add to its mapping. */
function* scopesOf(scope: Scope): Generator<Scope> {
  yield scope;
  for (const inner of scope.inner) if (inner.kind !== 'class') yield* scopesOf(inner);
}
