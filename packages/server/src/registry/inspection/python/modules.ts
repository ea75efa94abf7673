import { decodeSource } from './decode-source.ts';
import type { ParseBudget } from './parse-budget.ts';
import { parseSource } from './parse-source.ts';
import { readScope, type Scope } from './scopes.ts';
import type { Statement } from './syntax.ts';
import type { Extent } from './syntax-tree.ts';

export interface Module {
  readonly file: string;
  readonly text: string;
  readonly statements: readonly Statement[];
  readonly scope: Scope;
  readonly errors: readonly Extent[];
  readonly oddEncoding?: string;
}

export interface Modules {
  readonly all: readonly Module[];
  /** The module that an import in `file` reaches inside the pack, if it does. */
  find(file: string, level: number, dotted: string): Module | undefined;
}

/** Throws a `TooComplex` for code that nests or goes on beyond reason. */
export function readModule(file: string, bytes: Buffer, budget: ParseBudget): Module {
  const { text, oddEncoding } = decodeSource(bytes);
  const { statements, errors } = parseSource(text, budget);
  const scope = readScope(file, statements);
  return { file, text, statements, scope, errors, ...(oddEncoding === undefined ? {} : { oddEncoding }) };
}

export function createModules(all: readonly Module[]): Modules {
  const byFile = new Map(all.map((module) => [module.file, module]));

  const known = new Map<string, Module | undefined>();

  function findIn(folder: readonly string[], dotted: string): Module | undefined {
    const path = [...folder, ...dotted.split('.').filter((step) => step !== '')].join('/');
    return byFile.get(`${path}.py`) ?? byFile.get(path === '' ? '__init__.py' : `${path}/__init__.py`);
  }

  function find(folder: readonly string[], level: number, dotted: string): Module | undefined {
    const up = folder.length - (level - 1);
    if (level > 0) return up < 0 ? undefined : findIn(folder.slice(0, up), dotted);
    // Packs put themselves on the path, so an absolute name may be a module of any folder above.
    for (let depth = folder.length; depth >= 0; depth -= 1) {
      const found = findIn(folder.slice(0, depth), dotted);
      if (found) return found;
    }
    return undefined;
  }

  return {
    all,
    find(file, level, dotted) {
      const folder = file.slice(0, Math.max(0, file.lastIndexOf('/')));
      const key = `${folder}\n${level}\n${dotted}`;
      if (known.has(key)) return known.get(key);
      const found = find(folder === '' ? [] : folder.split('/'), level, dotted);
      known.set(key, found);
      return found;
    },
  };
}
