import { getOrInsert } from '../maps.ts';
import type { Modules } from './modules.ts';
import type { Bound, Scope } from './scopes.ts';
import type { Expression } from './syntax.ts';

/** Names that refer to names that refer to names: no honest chain is longer. */
export const MAX_CHAIN_LENGTH = 50;

/** `undefined` for a name without a definition: a built-in, or from a star import. */
export function lookUp(scope: Scope, name: string): readonly Bound[] | undefined {
  for (let here: Scope | undefined = scope; here; here = here.parent) {
    if (here.kind === 'class' && here !== scope) continue;
    const bounds = here.names.get(name);
    if (bounds) return bounds;
    if (here.parameters.some((parameter) => parameter.name === name)) return [];
  }
  return undefined;
}

export function moduleScope(scope: Scope): Scope {
  let here = scope;
  while (here.parent) here = here.parent;
  return here;
}

interface Followed {
  /** The file that the import leads to, or else its own file. */
  readonly home: string;
  readonly scope?: Scope;
  /** The module that a name is imported from, and the bounds of the name there. */
  readonly owner?: Scope;
  readonly bounds?: readonly Bound[];
}

const followed = new WeakMap<Bound, Followed>();

/** The target of an import inside the pack, if any. */
export function followImport(
  modules: Modules,
  file: string,
  bound: Extract<Bound, { kind: 'import' }>,
): Followed {
  return computeOnce(followed, bound, { home: file }, () => findImported(modules, file, bound));
}

function findImported(modules: Modules, file: string, bound: Extract<Bound, { kind: 'import' }>): Followed {
  const { level, module, member } = bound;
  const owner = modules.find(file, level, module);
  if (member === undefined) return owner ? { home: owner.file, scope: owner.scope } : { home: file };
  const bounds = owner && owner.file !== file ? exportedBounds(modules, owner.scope, member) : undefined;
  if (owner && bounds) return { home: owner.file, owner: owner.scope, bounds };
  const below = modules.find(file, level, module === '' ? member : `${module}.${member}`);
  return below ? { home: below.file, scope: below.scope } : { home: file };
}

const offered = new WeakMap<Scope, Map<string, readonly Bound[] | undefined>>();

/** The bounds of a name that a module exports, including its star imports. */
export function exportedBounds(
  modules: Modules,
  scope: Scope,
  name: string,
  depth = 0,
): readonly Bound[] | undefined {
  const own = scope.names.get(name);
  if (own || scope.stars.length === 0 || depth > MAX_CHAIN_LENGTH) return own;
  const known = getOrInsert(offered, scope, () => new Map());
  if (known.has(name)) return known.get(name);
  // Ends cycles of star imports.
  known.set(name, undefined);
  for (const { level, module } of scope.stars) {
    const from = modules.find(scope.file, level, module);
    const bounds = from && exportedBounds(modules, from.scope, name, depth + 1);
    if (bounds) {
      known.set(name, bounds);
      return bounds;
    }
  }
  return undefined;
}

export type Follow<Found> = (bounds: readonly Bound[], file: string) => Found;

/** Computes a value once per key. Meanwhile it counts as `nothing`, which ends cycles. */
export function computeOnce<Key, Found>(
  known: { get(key: Key): Found | undefined; set(key: Key, found: Found): unknown },
  key: Key,
  nothing: Found,
  compute: () => Found,
): Found {
  const before = known.get(key);
  if (before !== undefined) return before;
  known.set(key, nothing);
  const found = compute();
  known.set(key, found);
  return found;
}

/** Follows the bounds of each name once, and chains of names up to a limit. */
export function followOnce<Found>(nothing: Found, follow: Follow<Found>): Follow<Found> {
  const known = new Map<readonly Bound[], Found>();
  let depth = 0;
  return (bounds, file) => {
    if (bounds.length === 0 || depth > MAX_CHAIN_LENGTH) return nothing;
    return computeOnce(known, bounds, nothing, () => {
      depth += 1;
      const found = follow(bounds, file);
      depth -= 1;
      return found;
    });
  };
}

/** The module of the pack that an expression names (`nodes`, `package.nodes`), if any. */
export function namedModule(modules: Modules, scope: Scope, expression: Expression): Scope | undefined {
  if (expression.kind === 'name') {
    for (const bound of lookUp(scope, expression.id) ?? []) {
      if (bound.kind !== 'import') continue;
      const { scope: found } = followImport(modules, scope.file, bound);
      if (found) return found;
    }
    return undefined;
  }
  if (expression.kind !== 'attribute') return undefined;
  const outer = namedModule(modules, scope, expression.of);
  return outer && modules.find(outer.file, 1, expression.id)?.scope;
}
