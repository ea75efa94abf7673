import { getOrInsert, groupBy } from '../maps.ts';
import {
  exportedBounds,
  type Follow,
  followImport,
  followOnce,
  lookUp,
  namedModule,
} from '../python/lookup.ts';
import type { Modules } from '../python/modules.ts';
import type { Scope } from '../python/scopes.ts';
import type { Call, Expression } from '../python/syntax.ts';

export interface CallSite {
  readonly call: Call;
  readonly scope: Scope;
}

export type CallGraph = ReturnType<typeof createCallGraph>;

/** A method name that many classes share says too little about the called one. */
const MAX_METHODS = 8;

/** A call graph by name: enough to tell what runs at import time from what waits for a workflow. */
export function createCallGraph(modules: Modules) {
  const scopes = modules.all.flatMap(({ scope }) => withInner(scope));
  const methods = groupBy(
    scopes.filter(({ kind, parent }) => kind === 'function' && parent?.kind === 'class'),
    ({ file, name }) => `${file}\n${name}`,
  );

  const functionsOf: Follow<readonly Scope[]> = followOnce<readonly Scope[]>([], (bounds, file) =>
    bounds.flatMap((bound) => {
      if (bound.kind === 'function') return [bound.scope];
      if (bound.kind === 'class') return constructorsOf(bound.scope);
      if (bound.kind === 'value') return bound.isPart ? [] : functionsNamed(bound.value, bound.scope);
      const { bounds: imported = [], home } = followImport(modules, file, bound);
      return functionsOf(imported, home);
    }),
  );

  function functionsNamed(expression: Expression, scope: Scope): readonly Scope[] {
    if (expression.kind === 'name') return functionsOf(lookUp(scope, expression.id) ?? [], scope.file);
    if (expression.kind !== 'attribute') return [];
    const module = namedModule(modules, scope, expression.of);
    if (module) return functionsOf(exportedBounds(modules, module, expression.id) ?? [], module.file);
    const { of } = expression;
    const known = of.kind === 'name' ? lookUp(scope, of.id) : undefined;
    const isExternal =
      known !== undefined && known.length > 0 && known.every(({ kind }) => kind === 'import');
    const named = isExternal ? [] : (methods.get(`${scope.file}\n${expression.id}`) ?? []);
    return named.length <= MAX_METHODS ? named : [];
  }

  const sites = new Map<Scope, CallSite[]>();
  const targets = new Map<Call, readonly Scope[]>();
  for (const scope of scopes) {
    for (const call of scope.calls) {
      const found = functionsNamed(call.callee, scope);
      if (found.length > 0) targets.set(call, found);
      for (const target of found) getOrInsert(sites, target, () => []).push({ call, scope });
    }
  }

  const loaded = new Set<Scope>();
  const waiting: Scope[] = modules.all.map(({ scope }) => scope);
  for (let scope = waiting.pop(); scope; scope = waiting.pop()) {
    if (loaded.has(scope)) continue;
    loaded.add(scope);
    waiting.push(...scope.inner.filter(runsWithParent));
    for (const { expression, isAlias } of scope.roots) {
      // A decorator is a bare name, but it is called.
      if (!isAlias) waiting.push(...functionsNamed(expression, scope));
    }
    for (const call of scope.calls) {
      waiting.push(...(targets.get(call) ?? []));
      // `Thread(target=work)` runs its argument.
      for (const { value } of call.args) waiting.push(...functionsNamed(value, scope));
    }
  }

  return {
    scopes,
    /** The functions of the pack that a call may run. */
    targetsOf: (call: Call): readonly Scope[] => targets.get(call) ?? [],
    sitesOf: (target: Scope): readonly CallSite[] => sites.get(target) ?? [],
    runsOnLoad: (scope: Scope): boolean => loaded.has(scope),
  };
}

function withInner(scope: Scope): Scope[] {
  return [scope, ...scope.inner.flatMap(withInner)];
}

function constructorsOf(owner: Scope): Scope[] {
  const names = new Set(['__init__', '__new__', '__post_init__', '__enter__']);
  return owner.inner.filter(({ kind, name }) => kind === 'function' && names.has(name));
}

/** A class body runs in place; `__main__` only if the installer runs the file as a script. */
function runsWithParent({ kind, file }: Scope): boolean {
  return kind === 'class' || (kind === 'script' && /(?:^|\/)install\.py$/.test(file));
}
