import { decodeSource } from './decode-source.ts';
import type { ParseBudget } from './parse-budget.ts';
import { parseSource } from './parse-source.ts';
import { readScope } from './scopes.ts';

export type Module = ReturnType<typeof readModule>;
export type Modules = ReturnType<typeof createModules>;

export function readModule(file: string, bytes: Buffer, budget: ParseBudget) {
  const { text, oddEncoding } = decodeSource(bytes);
  const { statements, errors } = parseSource(text, budget);
  return { file, text, oddEncoding, statements, errors, scope: readScope(file, statements) };
}

export function createModules(all: readonly Module[]) {
  const byFile = new Map(all.map((module) => [module.file, module]));

  const known = new Map<string, Module | undefined>();

  function findIn(folder: readonly string[], dotted: string): Module | undefined {
    const path = [...folder, ...dotted.split('.').filter((step) => step !== '')].join('/');
    return byFile.get(`${path}.py`) ?? byFile.get(path === '' ? '__init__.py' : `${path}/__init__.py`);
  }

  function find(folder: readonly string[], level: number, dotted: string): Module | undefined {
    const up = folder.length - (level - 1);
    if (level > 0) return up < 0 ? undefined : findIn(folder.slice(0, up), dotted);
    // Packs add themselves to the path, so an absolute name may be a module of any folder above.
    for (let depth = folder.length; depth >= 0; depth -= 1) {
      const found = findIn(folder.slice(0, depth), dotted);
      if (found) return found;
    }
    return undefined;
  }

  return {
    all,
    /** The module inside the pack that an import in `file` reaches, if any. */
    find(file: string, level: number, dotted: string): Module | undefined {
      const folder = file.slice(0, Math.max(0, file.lastIndexOf('/')));
      const key = `${folder}\n${level}\n${dotted}`;
      if (known.has(key)) return known.get(key);
      const found = find(folder === '' ? [] : folder.split('/'), level, dotted);
      known.set(key, found);
      return found;
    },
  };
}
