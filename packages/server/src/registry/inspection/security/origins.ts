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
import type { Call, Expression, Index } from '../python/syntax.ts';
import { constantText } from './constant-text.ts';

/** Where a function or module comes from, whatever it is called here: `subprocess.run`, `builtins.exec`. */
export interface Origin {
  readonly name: string;
  /** Reached by a detour: `getattr(os, 'system')`, `globals()['exec']`, `__import__('o' + 's')`. */
  readonly isHidden: boolean;
}

const NOWHERE: readonly Origin[] = [];
/** A definition of the same name that may not run must not hide these. */
const ALWAYS_BUILT_IN = new Set(['exec', 'eval', '__import__']);

export interface Origins {
  of(expression: Expression, scope: Scope): readonly Origin[];
}

export function createOrigins(modules: Modules): Origins {
  const known = new Map<Scope, Map<string, readonly Origin[]>>();

  function of(expression: Expression, scope: Scope): readonly Origin[] {
    switch (expression.kind) {
      case 'name':
        return ofName(expression.id, scope);
      case 'attribute': {
        const module = namedModule(modules, scope, expression.of);
        const offered = module && exportedBounds(modules, module, expression.id);
        const here = offered ? ofBounds(offered, module.file) : NOWHERE;
        return [...here, ...of(expression.of, scope).map((origin) => inside(origin, expression.id))];
      }
      case 'call':
        return ofCall(expression, scope);
      case 'index':
        return ofIndex(expression, scope);
      case 'operation':
        // `a if test else b`, `a or b`
        return expression.operator === 'if else' || expression.operator === 'or'
          ? expression.operands.flatMap((operand) => of(operand, scope))
          : NOWHERE;
      case 'walrus':
        return of(expression.value, scope);
      case 'text':
      case 'format':
      case 'number':
      case 'constant':
      case 'sequence':
      case 'dictionary':
      case 'lambda':
      case 'comprehension':
      case 'other':
        return NOWHERE;
    }
  }

  function ofName(name: string, scope: Scope): readonly Origin[] {
    const names = known.get(scope) ?? new Map<string, readonly Origin[]>();
    known.set(scope, names);
    const before = names.get(name);
    if (before) return before;
    // A name that is defined through itself ends here.
    names.set(name, NOWHERE);
    const origins = findName(name, scope);
    names.set(name, origins);
    return origins;
  }

  function findName(name: string, scope: Scope): readonly Origin[] {
    const builtIn = {
      name: `builtins.${name}`.replace('builtins.__builtins__', 'builtins'),
      isHidden: false,
    };
    const bounds = lookUp(scope, name);
    if (!bounds) return [...ofStars(name, scope), builtIn];
    const origins = ofBounds(bounds, scope.file);
    const isSure = bounds.length === 0 || bounds.some((bound) => 'isSure' in bound && bound.isSure);
    return ALWAYS_BUILT_IN.has(name) && !isSure ? [...origins, builtIn] : origins;
  }

  function ofStars(name: string, scope: Scope): readonly Origin[] {
    const origins: Origin[] = [];
    for (let here: Scope | undefined = scope; here; here = here.parent) {
      for (const { level, module } of here.stars) {
        if (level === 0) origins.push({ name: `${module}.${name}`, isHidden: false });
        const sibling = modules.find(scope.file, level, module)?.scope;
        const bounds = sibling && exportedBounds(modules, sibling, name);
        if (bounds) origins.push(...ofBounds(bounds, sibling.file));
      }
    }
    return origins;
  }

  const ofBounds: Follow<readonly Origin[]> = followOnce(NOWHERE, (bounds, file) =>
    bounds.flatMap((bound) => {
      if (bound.kind === 'value') return bound.isPart ? NOWHERE : of(bound.value, bound.scope);
      if (bound.kind !== 'import') return NOWHERE;
      const { level, module, member } = bound;
      const outside = member === undefined ? module : `${module}.${member}`;
      // A file of the pack with the name of a library does not stand for the library's innocence.
      const origins: Origin[] = level === 0 ? [{ name: outside, isHidden: false }] : [];
      const { bounds: imported, home } = followImport(modules, file, bound);
      return imported ? [...origins, ...ofBounds(imported, home)] : origins;
    }),
  );

  function ofCall({ callee, args }: Call, scope: Scope): readonly Origin[] {
    const [first, second] = args;
    if (callee.kind === 'attribute' && callee.id === '__getattribute__') {
      const id = first && constantText(first.value, scope);
      return id ? of(callee.of, scope).map((one) => inside(one, id.value, true)) : NOWHERE;
    }
    return of(callee, scope).flatMap(({ name }): readonly Origin[] => {
      switch (name) {
        case 'builtins.getattr': {
          const id = second && constantText(second.value, scope);
          return first && id ? of(first.value, scope).map((one) => inside(one, id.value, true)) : NOWHERE;
        }
        case 'builtins.__import__':
        case 'importlib.__import__':
        case 'importlib.import_module': {
          const module = first && constantText(first.value, scope);
          const isUsual = name === 'importlib.import_module' && module?.form === 'plain';
          return module ? [{ name: module.value, isHidden: !isUsual }] : NOWHERE;
        }
        case 'builtins.vars':
          return first ? of(first.value, scope).map((one) => inside(one, '__dict__')) : NOWHERE;
        case 'builtins.globals':
        case 'builtins.locals':
          return [{ name: 'globals.__dict__', isHidden: true }];
        case 'functools.partial':
          return first ? of(first.value, scope) : NOWHERE;
        default:
          return NOWHERE;
      }
    });
  }

  /** `__builtins__['exec']`, `os.__dict__['system']`, `sys.modules['os']` */
  function ofIndex({ of: object, keys }: Index, scope: Scope): readonly Origin[] {
    const [key] = keys;
    const text = key && keys.length === 1 ? constantText(key, scope) : undefined;
    if (!text) return NOWHERE;
    return of(object, scope).flatMap(({ name }): readonly Origin[] => {
      if (name === 'sys.modules') return [{ name: text.value, isHidden: true }];
      if (name === 'builtins') return [{ name: `builtins.${text.value}`, isHidden: true }];
      if (!name.endsWith('.__dict__')) return NOWHERE;
      const inner = ofName(text.value, scope).map((one) => ({ ...one, isHidden: true }));
      return [{ name: `${name.slice(0, -'.__dict__'.length)}.${text.value}`, isHidden: true }, ...inner];
    });
  }

  return { of };
}

function inside(origin: Origin, id: string, isHidden = false): Origin {
  return { name: `${origin.name}.${id}`, isHidden: origin.isHidden || isHidden };
}
