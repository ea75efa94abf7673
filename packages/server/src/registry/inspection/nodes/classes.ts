import {
  exportedBounds,
  followImport,
  followOnce,
  lookUp,
  moduleScope,
  namedModule,
} from '../python/lookup.ts';
import type { Modules } from '../python/modules.ts';
import type { Bound, Scope } from '../python/scopes.ts';
import type { Expression } from '../python/syntax.ts';

export interface Classes {
  /** The class of the pack that an expression names, through imports and aliases. */
  find(expression: Expression, scope: Scope): Scope | undefined;
  /** What a class or the first of its bases in the pack has under a name. */
  member(owner: Scope, name: string): Bound | undefined;
}

export function createClasses(modules: Modules): Classes {
  const ofBounds = followOnce<Scope | null>(null, (bounds, file) => {
    for (const bound of bounds) {
      if (bound.kind === 'class') return bound.scope;
      const found = bound.kind === 'value' || bound.kind === 'import' ? follow(bound, file) : undefined;
      if (found) return found;
    }
    return null;
  });

  function follow(bound: Extract<Bound, { kind: 'value' | 'import' }>, file: string): Scope | undefined {
    if (bound.kind === 'value') return bound.isPart ? undefined : find(bound.value, bound.scope);
    const { bounds = [], home } = followImport(modules, file, bound);
    return ofBounds(bounds, home) ?? undefined;
  }

  function find(expression: Expression, scope: Scope): Scope | undefined {
    if (expression.kind === 'name') {
      const bounds =
        lookUp(scope, expression.id) ?? exportedBounds(modules, moduleScope(scope), expression.id);
      return (bounds && ofBounds(bounds, scope.file)) ?? undefined;
    }
    if (expression.kind !== 'attribute') return undefined;
    const module = namedModule(modules, scope, expression.of);
    const owner = module ?? find(expression.of, scope);
    const bounds = module ? exportedBounds(modules, module, expression.id) : owner?.names.get(expression.id);
    return (bounds && owner && ofBounds(bounds, owner.file)) ?? undefined;
  }

  function member(owner: Scope, name: string, seen = new Set<Scope>()): Bound | undefined {
    if (seen.has(owner)) return undefined;
    seen.add(owner);
    const own = owner.names.get(name)?.findLast((bound) => bound.kind !== 'value' || !bound.isPart);
    if (own) return own;
    for (const base of owner.bases) {
      const found = base.name === undefined ? find(base.value, owner.parent ?? owner) : undefined;
      const inherited = found && member(found, name, seen);
      if (inherited) return inherited;
    }
    return undefined;
  }

  return { find, member: (owner, name) => member(owner, name) };
}

/** Whether instances are strings: types that match anything are made so. */
export function isTextClass(owner: Scope): boolean {
  return owner.bases.some(({ value }) => value.kind === 'name' && value.id === 'str');
}

export function enclosingClass(scope: Scope): Scope | undefined {
  for (let here: Scope | undefined = scope; here; here = here.parent) {
    if (here.kind === 'class') return here;
  }
  return undefined;
}
