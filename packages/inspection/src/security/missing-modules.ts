import { exportedBounds } from '../python/lookup.ts';
import type { Modules } from '../python/modules.ts';
import type { Bound, Scope } from '../python/scopes.ts';
import type { ImportStatement } from '../python/syntax.ts';

export type IsMissing = (statement: ImportStatement, scope: Scope) => boolean;

/** A pack that downloads something and imports modules its archive does not contain imports what it has downloaded. */
export function createMissingModules(modules: Modules, paths: ReadonlySet<string>): IsMissing {
  const present = new Set<string>();
  for (const path of paths) {
    const name = path.lastIndexOf('/') + 1;
    const dot = path.indexOf('.', name);
    present.add(dot === -1 ? path : path.slice(0, dot));
    for (let slash = path.indexOf('/'); slash !== -1; slash = path.indexOf('/', slash + 1))
      present.add(path.slice(0, slash));
  }

  return ({ level, from = '', names }, scope) => {
    const steps = scope.file.split('/').slice(0, -1);
    const up = steps.length - (level - 1);
    // Above the archive is the host.
    if (level === 0 || up < 0) return false;
    const owner = [...steps.slice(0, up), ...from.split('.').filter((step) => step !== '')].join('/');
    if (owner !== '' && !present.has(owner)) return true;
    const init = owner === '' ? '__init__.py' : `${owner}/__init__.py`;
    const isPackage = owner === '' || paths.has(init) || !paths.has(`${owner}.py`);
    if (!isPackage) return false;
    const module = modules.find(scope.file, level, from);
    return names.some(({ name }) => {
      const below = owner === '' ? name : `${owner}/${name}`;
      if (name === '*' || name.startsWith('__') || present.has(below)) return false;
      return module ? !offers(modules, module.scope, name) : !paths.has(init);
    });
  };
}

/** Whether a package can offer a name other than as one of its modules. */
function offers(modules: Modules, scope: Scope, name: string): boolean {
  if (scope.names.has('__getattr__')) return true;
  const isOpen = scope.stars.some(({ level, module }) => !modules.find(scope.file, level, module));
  const bounds = exportedBounds(modules, scope, name) ?? [];
  return isOpen || bounds.some((bound) => !isImportOfItself(bound, name));
}

function isImportOfItself(bound: Bound, name: string): boolean {
  return bound.kind === 'import' && bound.level === 1 && bound.module === '' && bound.member === name;
}
