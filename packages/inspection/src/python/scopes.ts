import { getOrInsert } from '../maps.ts';
import {
  type Argument,
  type Attribute,
  type Call,
  type Expression,
  type ImportStatement,
  type Index,
  type Parameter,
  partsOf,
  type Statement,
} from './syntax.ts';

export type Bound =
  | {
      readonly kind: 'value';
      readonly value: Expression;
      readonly scope: Scope;
      /** The name has a part of the value: an item of a loop, or of a tuple. */
      readonly isPart: boolean;
    }
  | Defined<'function'>
  | Defined<'class'>
  | {
      readonly kind: 'import';
      readonly level: number;
      readonly module: string;
      readonly member?: string;
    };

interface Defined<Kind> {
  readonly kind: Kind;
  readonly scope: Scope;
  /** Defined whenever the surrounding code runs, not in an `if` or `try`. */
  readonly isSure: boolean;
}

export interface Root {
  readonly expression: Expression;
  /** `x = expression` only renames it. */
  readonly isAlias: boolean;
  /** Nothing keeps the value: it is tested, deleted, or has an attribute set. */
  readonly isDropped: boolean;
}

/** A unit of names and code: a file, a class body, a function, or the code of a script run. */
export interface Scope {
  readonly kind: 'module' | 'class' | 'function' | 'script';
  readonly name: string;
  readonly file: string;
  readonly parent: Scope | undefined;
  readonly inner: Scope[];
  readonly parameters: readonly Parameter[];
  readonly bases: readonly Argument[];
  readonly names: Map<string, Bound[]>;
  /** Names bound in an outer scope: `global`, `nonlocal`. */
  readonly outer: Set<string>;
  readonly stars: { readonly level: number; readonly module: string }[];
  readonly imports: ImportStatement[];
  /** `self.id = value` in any method. Shared by the whole module. */
  readonly attributes: Map<string, Bound[]>;
  /** `object.id = value`, `object[key] = value` and the like with `+=` */
  readonly stores: { readonly target: Attribute | Index; readonly value: Expression }[];
  /** Every expression that runs here, in the order of the source. */
  readonly roots: Root[];
  readonly calls: Call[];
  readonly returns: Expression[];
}

type NewScope = Pick<Scope, 'kind' | 'name' | 'file' | 'parent'> &
  Partial<Pick<Scope, 'parameters' | 'bases'>>;

function createScope(given: NewScope): Scope {
  const { parent } = given;
  const scope: Scope = {
    parameters: [],
    bases: [],
    ...given,
    inner: [],
    names: new Map(),
    outer: new Set(),
    stars: [],
    attributes: parent?.attributes ?? new Map(),
    imports: [],
    stores: [],
    roots: [],
    calls: [],
    returns: [],
  };
  parent?.inner.push(scope);
  return scope;
}

/** Reads a module or, with a parent, code that runs inside other code and sees its names. */
export function readScope(file: string, statements: readonly Statement[], parent?: Scope): Scope {
  const scope = createScope({ kind: parent ? 'script' : 'module', name: '', file, parent });
  readStatements(scope, statements, true);
  return scope;
}

function readStatements(scope: Scope, statements: readonly Statement[], isSure: boolean): void {
  for (const statement of statements) readStatement(scope, statement, isSure);
}

function readStatement(scope: Scope, statement: Statement, isSure: boolean): void {
  switch (statement.kind) {
    case 'import':
      scope.imports.push(statement);
      for (const { name, as } of statement.names) {
        const { level, from } = statement;
        if (from === undefined) {
          const [first = name] = name.split('.', 1);
          bind(scope, as ?? first, { kind: 'import', level: 0, module: as === undefined ? first : name });
        } else if (name === '*') scope.stars.push({ level, module: from });
        else bind(scope, as ?? name, { kind: 'import', level, module: from, member: name });
      }
      return;
    case 'assignment':
      readAssignment(scope, statement);
      return;
    case 'expression':
      // A string as a statement is documentation.
      if (statement.value.kind !== 'text') addRoot(scope, statement.value, 'dropped');
      return;
    case 'return':
      if (!statement.value) return;
      scope.returns.push(statement.value);
      addRoot(scope, statement.value);
      return;
    case 'delete':
      for (const target of statement.targets) addRoot(scope, target, 'dropped');
      return;
    case 'jump':
      for (const value of statement.values) addRoot(scope, value);
      return;
    case 'outer':
      for (const name of statement.names) scope.outer.add(name);
      return;
    case 'function': {
      for (const head of statement.heads)
        addRoot(scope, statement.decorators.includes(head) ? decorating(head) : head);
      const { name, parameters, body } = statement;
      const inner = createScope({ kind: 'function', name, file: scope.file, parent: scope, parameters });
      bind(scope, name, { kind: 'function', scope: inner, isSure });
      readStatements(inner, body, true);
      return;
    }
    case 'class': {
      for (const head of statement.decorators) addRoot(scope, decorating(head));
      for (const { value } of statement.bases) addRoot(scope, value);
      const { name, bases, body } = statement;
      const inner = createScope({ kind: 'class', name, file: scope.file, parent: scope, bases });
      bind(scope, name, { kind: 'class', scope: inner, isSure });
      readStatements(inner, body, true);
      return;
    }
    case 'block': {
      const here = statement.isScript
        ? createScope({ kind: 'script', name: '', file: scope.file, parent: scope })
        : scope;
      const tests = new Set(
        statement.branches.filter(({ word }) => /^(?:if|elif|while)$/.test(word)).map(({ test }) => test),
      );
      for (const head of statement.heads) addRoot(here, head, tests.has(head) ? 'dropped' : 'kept');
      for (const { target, from, isLoop } of statement.bindings) {
        if (isLoop) addRoot(here, from);
        assign(here, target, from, isLoop);
      }
      readStatements(here, statement.body, false);
    }
  }
}

/** `@decorator` calls it with the definition below. */
function decorating(decorator: Expression): Call {
  const { at } = decorator;
  const value: Expression = { kind: 'other', at, parts: [] };
  return { kind: 'call', at, callee: decorator, args: [{ stars: 0, value }] };
}

function readAssignment(scope: Scope, statement: Extract<Statement, { kind: 'assignment' }>): void {
  const { targets, value, annotation, operator } = statement;
  if (annotation) addRoot(scope, annotation);
  const isAlias = targets.length === 1 && targets[0]?.kind === 'name';
  if (value) addRoot(scope, value, isAlias && operator === undefined ? 'alias' : 'kept');
  for (const target of targets) {
    if (value) assign(scope, target, value, operator !== undefined);
    // `a[f()]: int` also calls `f`.
    else if (target.kind !== 'name') addRoot(scope, target, 'dropped');
  }
}

function assign(scope: Scope, target: Expression, value: Expression, isPart: boolean): void {
  if (target.kind === 'name') {
    bind(scope, target.id, { kind: 'value', value, scope, isPart });
  } else if (target.kind === 'sequence') {
    const isSame = value.kind === 'sequence' && value.items.length === target.items.length && !isPart;
    for (const [index, item] of target.items.entries()) {
      const own = isSame ? value.items[index] : undefined;
      assign(scope, item, own ?? value, own === undefined);
    }
  } else if (target.kind === 'attribute') {
    addRoot(scope, target.of, 'dropped');
    scope.stores.push({ target, value });
    getOrInsert(scope.attributes, target.id, () => []).push({ kind: 'value', value, scope, isPart });
  } else if (target.kind === 'index') {
    addRoot(scope, target);
    scope.stores.push({ target, value });
    if (target.of.kind !== 'name') return;
    bind(scope, target.of.id, { kind: 'value', value, scope, isPart: true });
  } else if (target.kind === 'other') {
    for (const part of target.parts) assign(scope, part, value, true);
  } else addRoot(scope, target);
}

function bind(scope: Scope, name: string, bound: Bound): void {
  getOrInsert(scope.names, name, () => []).push(bound);
  if (!scope.outer.has(name)) return;
  // Any outer scope with the name, or the module, may be meant.
  for (let here = scope.parent; here; here = here.parent) {
    if (!here.parent || here.names.has(name)) getOrInsert(here.names, name, () => []).push(bound);
  }
}

function addRoot(scope: Scope, expression: Expression, use: 'kept' | 'alias' | 'dropped' = 'kept'): void {
  scope.roots.push({ expression, isAlias: use === 'alias', isDropped: use === 'dropped' });
  bindInside(scope, expression);
}

/** Loops and `:=` inside an expression also bind names. */
function bindInside(scope: Scope, expression: Expression): void {
  if (expression.kind === 'call') scope.calls.push(expression);
  if (expression.kind === 'comprehension') {
    for (const { target, from } of expression.loops) assign(scope, target, from, true);
  }
  if (expression.kind === 'walrus') assign(scope, expression.target, expression.value, false);
  for (const part of partsOf(expression)) bindInside(scope, part);
}
