import { getOrInsert } from '../maps.ts';
import {
  computeOnce,
  type Follow,
  followImport,
  followOnce,
  lookUp,
  MAX_CHAIN_LENGTH,
  moduleScope,
  namedModule,
} from '../python/lookup.ts';
import type { Modules } from '../python/modules.ts';
import type { Bound, Scope } from '../python/scopes.ts';
import type { Argument, Attribute, Call, Expression, Index } from '../python/syntax.ts';
import { constantText } from './constant-text.ts';

/** The origin of a function or module, whatever its name here: `subprocess.run`, `builtins.exec`. */
export interface Origin {
  readonly name: string;
  /** Reached indirectly: `getattr(os, 'system')`, `globals()['exec']`, `__import__('o' + 's')`. */
  readonly isHidden: boolean;
  /** `operator.attrgetter(id)` and the like, which access a member of their argument. */
  readonly getter?: Getter;
}

interface Getter {
  readonly kind: 'attribute' | 'item' | 'method';
  /** Absent if it is computed. */
  readonly id?: string;
}

/** Classes that may give the same name to something. No honest pack has more. */
const MAX_MEMBERS = 20;
const NOWHERE: readonly Origin[] = [];
/** A definition of the same name that may not run must not hide them. */
const ALWAYS_BUILT_IN = new Set(['exec', 'eval', '__import__']);
/** Classes whose subclasses and objects are as dangerous as they are. */
const PASSED_ON =
  /^(?:subprocess\.Popen|code\.Interactive(?:Interpreter|Console)|c?[pP]rofile\.Profile|pdb\.Pdb|bdb\.Bdb|trace\.Trace|cffi\.FFI|git\.Git|tkinter\.(?:Tcl|Tk)|(?:IPython|builtins)\.get_ipython)$/;
const ITEM_METHODS = /^(?:get|pop|setdefault|__getitem__)$/;
/** `sys.modules[__name__]`: this module itself. */
const ITSELF = '__itself__';
const GETTERS: ReadonlyMap<string, Getter['kind']> = new Map([
  ['operator.attrgetter', 'attribute'],
  ['operator.itemgetter', 'item'],
  ['operator.methodcaller', 'method'],
]);
/** Modules that other modules import, some with an underscore: `shutil.os`, `random._os`. */
const CARRIED =
  /^(?!builtins\.|globals\.).*\._?(os|subprocess|sys|builtins|importlib|shutil|ctypes|runpy|pty|posix|nt)(?=\.|$)/;
const CARRIED_MODULE = /^(?:os|subprocess|builtins|importlib|runpy|pty)$/;
const INNER_PROCESS = /^.*\.(_posixsubprocess|_winapi)(?=\.|$)/;

export type Origins = ReturnType<typeof createOrigins>;

export function createOrigins(modules: Modules) {
  const known = new Map<Scope, Map<string, readonly Origin[]>>();
  const members = membersOf(modules);
  let starDepth = 0;

  function of(expression: Expression, scope: Scope): readonly Origin[] {
    if (expression.kind === 'name') return ofName(expression.id, scope);
    if (expression.kind === 'attribute') return ofAttribute(expression, scope);
    if (expression.kind === 'call') return ofCall(expression, scope);
    if (expression.kind === 'index') return ofIndex(expression, scope);
    if (expression.kind === 'walrus') return of(expression.value, scope);
    // `a if test else b`, `a or b`
    const isChoice = expression.kind === 'operation' && /^(?:if else|or)$/.test(expression.operator);
    return isChoice ? expression.operands.flatMap((operand) => of(operand, scope)) : NOWHERE;
  }

  function ofAttribute(expression: Attribute, scope: Scope): readonly Origin[] {
    const { id } = expression;
    if (id === '__globals__') return [{ name: '__globals__', isHidden: true }];
    const module = namedModule(modules, scope, expression.of);
    const outer = of(expression.of, scope);
    const own = outer.some(({ name }) => name === ITSELF) ? ofName(id, moduleScope(scope)) : NOWHERE;
    return [
      ...(module ? offeredBy(module, id) : NOWHERE),
      ...ofMember(id),
      ...own.map((one) => ({ ...one, isHidden: true })),
      ...outer.map((origin) => inside(origin, id)),
      ...ofResult(expression, scope),
    ];
  }

  /** The members of classes and objects that are dangerous modules and functions. */
  function ofMember(id: string): readonly Origin[] {
    const all = members.get(id);
    return all
      ? withoutRepeats(all.flatMap((one) => ofBounds(one.bounds, one.file)).filter(isMemberOfNote))
      : NOWHERE;
  }

  function ofName(name: string, scope: Scope): readonly Origin[] {
    return computeOnce(
      getOrInsert(known, scope, () => new Map()),
      name,
      NOWHERE,
      () => withoutRepeats(findName(name, scope)),
    );
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
      const stars: Scope['stars'] = here.stars;
      for (const { level, module } of stars) {
        if (level === 0) origins.push({ name: canonical(`${module}.${name}`), isHidden: false });
        const sibling: Scope | undefined = modules.find(scope.file, level, module)?.scope;
        if (sibling && sibling !== here) origins.push(...offeredBy(sibling, name));
      }
    }
    return origins;
  }

  /** A name in a module of the pack, including star imports from outside: `from os import *`. */
  function offeredBy(module: Scope, name: string): readonly Origin[] {
    const own = module.names.get(name);
    if (own) return ofBounds(own, module.file);
    if (starDepth > MAX_CHAIN_LENGTH) return NOWHERE;
    const names = getOrInsert(known, module, () => new Map());
    return computeOnce(names, `* ${name}`, NOWHERE, () => {
      starDepth += 1;
      const origins = withoutRepeats(ofStars(name, module));
      starDepth -= 1;
      return origins;
    });
  }

  /** `inspect.getmodule(x).os.system`: even an unknown module has its imports. */
  function ofResult({ of: carrier, id }: Attribute, scope: Scope): readonly Origin[] {
    if (carrier.kind !== 'attribute' || !CARRIED_MODULE.test(carrier.id)) return NOWHERE;
    return isResult(carrier.of, scope) ? [{ name: `${carrier.id}.${id}`, isHidden: true }] : NOWHERE;
  }

  const ofBounds: Follow<readonly Origin[]> = followOnce(NOWHERE, (bounds, file) =>
    bounds.flatMap((bound) => {
      if (bound.kind === 'value') return bound.isPart ? NOWHERE : of(bound.value, bound.scope);
      if (bound.kind === 'class') return ofBases(bound.scope);
      if (bound.kind !== 'import') return NOWHERE;
      const { level, module, member } = bound;
      const outside = canonical(member === undefined ? module : `${module}.${member}`);
      // A file of the pack with the name of a library does not make the library harmless.
      const origins: Origin[] = level === 0 ? [{ name: outside, isHidden: false }] : [];
      const { bounds: imported, home } = followImport(modules, file, bound);
      if (imported) return [...origins, ...ofBounds(imported, home)];
      const owner = member === undefined ? undefined : modules.find(file, level, module);
      if (owner && owner.file !== file) origins.push(...offeredBy(owner.scope, member ?? ''));
      // `from .missing import os`
      return level > 0 && /^_?(?:os|subprocess)$/.test(member ?? '')
        ? [{ name: (member ?? '').replace('_', ''), isHidden: false }]
        : origins;
    }),
  );

  function ofBases({ bases, parent }: Scope): readonly Origin[] {
    const origins = bases.flatMap(({ name, value }) =>
      parent && name === undefined ? of(value, parent) : NOWHERE,
    );
    return origins.filter(({ name }) => PASSED_ON.test(name));
  }

  /** What a call runs: its callee, and what the callee accesses. */
  function called(call: Call, scope: Scope): readonly Origin[] {
    const origins = of(call.callee, scope);
    const [first] = call.args;
    return origins.flatMap((origin) => {
      if (!origin.getter || !first) return [origin];
      return [origin, ...reached(origin.getter, first.value, scope)];
    });
  }

  /** What a getter finds in its argument. */
  function reached({ kind, id = '?' }: Getter, object: Expression, scope: Scope): readonly Origin[] {
    if (kind === 'item') return itemsIn(object, id, scope);
    return of(object, scope).map((origin) => inside(origin, id, true));
  }

  function ofCall({ callee, args }: Call, scope: Scope): readonly Origin[] {
    const [first, second] = args;
    if (callee.kind === 'attribute' && callee.id === '__getattribute__') {
      // On the module itself, or `object.__getattribute__(module, id)`.
      const object = second ? first?.value : callee.of;
      const id = constantTextOf(second ?? first, scope);
      return id && object ? of(object, scope).map((one) => inside(one, id.value, true)) : NOWHERE;
    }
    if (callee.kind === 'attribute' && callee.id === 'getter' && callee.of.kind === 'call') {
      // `mock.patch("os.system").getter()` is the module.
      const isPatch = of(callee.of.callee, scope).some(({ name }) => /(?:^|\.)mock\.patch$/.test(name));
      const target = isPatch ? constantTextOf(callee.of.args[0], scope)?.value : undefined;
      if (target) return [{ name: canonical(target.slice(0, target.lastIndexOf('.'))), isHidden: true }];
    }
    if (callee.kind === 'attribute' && ITEM_METHODS.test(callee.id)) {
      const key = constantTextOf(first, scope);
      const items = key ? itemsIn(callee.of, key.value, scope) : NOWHERE;
      if (items.length > 0) return items;
    }
    return of(callee, scope).flatMap(({ name, getter }): readonly Origin[] => {
      if (getter) return first && getter.kind !== 'method' ? reached(getter, first.value, scope) : NOWHERE;
      const kind = GETTERS.get(name);
      if (kind) {
        const id = constantTextOf(first, scope)?.value;
        return [{ name: `${name}()`, isHidden: false, getter: id === undefined ? { kind } : { kind, id } }];
      }
      if (PASSED_ON.test(name)) return [{ name: `${name}()`, isHidden: false }];
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
          return module ? [{ name: canonical(module.value), isHidden: !isUsual }] : NOWHERE;
        }
        case 'pkgutil.resolve_name':
        case 'pydoc.locate':
        case 'pydoc.safeimport': {
          const target = first && constantText(first.value, scope);
          return target ? [{ name: canonical(target.value.replace(':', '.')), isHidden: true }] : NOWHERE;
        }
        case 'builtins.vars':
          return first ? of(first.value, scope).map((one) => inside(one, '__dict__')) : NOWHERE;
        case 'builtins.globals':
        case 'builtins.locals':
          return [{ name: 'globals.__dict__', isHidden: true }];
        case 'functools.partial':
        case 'importlib.reload':
        case 'imp.reload':
          return first ? of(first.value, scope) : NOWHERE;
        default:
          return NOWHERE;
      }
    });
  }

  /** `__builtins__['exec']`, `os.__dict__['system']`, `sys.modules['os']` */
  function ofIndex({ of: object, keys }: Index, scope: Scope): readonly Origin[] {
    const [key] = keys;
    const isOwn = key?.kind === 'name' && key.id === '__name__';
    if (isOwn && of(object, scope).some(({ name }) => name === 'sys.modules'))
      return [{ name: ITSELF, isHidden: true }];
    const text = key && keys.length === 1 ? constantText(key, scope) : undefined;
    return text ? itemsIn(object, text.value, scope) : NOWHERE;
  }

  function itemsIn(object: Expression, key: string, scope: Scope): readonly Origin[] {
    return of(object, scope).flatMap(({ name }): readonly Origin[] => {
      if (name === 'sys.modules') return [{ name: canonical(key), isHidden: true }];
      if (name === '__globals__')
        return [{ name: canonical(key.replace('__builtins__', 'builtins')), isHidden: true }];
      if (name === 'builtins') return [{ name: `builtins.${key}`, isHidden: true }];
      if (!name.endsWith('.__dict__')) return NOWHERE;
      const inner = ofName(key, scope).map((one) => ({ ...one, isHidden: true }));
      const own = canonical(`${name.slice(0, -'.__dict__'.length)}.${key}`);
      return [{ name: own, isHidden: true }, ...inner];
    });
  }

  return { of, called };
}

/** A name may be bound a thousand times to the same value. */
function withoutRepeats(origins: readonly Origin[]): readonly Origin[] {
  if (origins.length < 2) return origins;
  const keyOf = ({ name, isHidden, getter }: Origin) =>
    `${name}\n${isHidden}\n${getter?.kind}\n${getter?.id}`;
  return [...new Map(origins.map((origin) => [keyOf(origin), origin])).values()];
}

interface Member {
  readonly bounds: readonly Bound[];
  readonly file: string;
}

/** The members of classes and objects of the pack that rename something else. */
function membersOf({ all }: Modules): ReadonlyMap<string, readonly Member[]> {
  const members = new Map<string, Member[]>();
  const add = (id: string, named: readonly Bound[], file: string) => {
    const bounds = named.filter(isOtherName);
    const known = members.get(id) ?? [];
    if (bounds.length > 0 && known.length < MAX_MEMBERS) members.set(id, [...known, { bounds, file }]);
  };
  const waiting = all.map(({ scope }) => scope);
  for (const { scope, file } of all) for (const [id, bounds] of scope.attributes) add(id, bounds, file);
  for (let scope = waiting.pop(); scope; scope = waiting.pop()) {
    if (scope.kind === 'class') for (const [id, bounds] of scope.names) add(id, bounds, scope.file);
    waiting.push(...scope.inner);
  }
  return members;
}

function isOtherName(bound: Bound): boolean {
  if (bound.kind !== 'value') return bound.kind === 'import';
  return !bound.isPart && (bound.value.kind === 'name' || bound.value.kind === 'attribute');
}

/** Any other member would be too much: `self.get = requests.get` must not make every `get` a request. */
function isMemberOfNote({ name }: Origin): boolean {
  return /^(?:os|subprocess|pty|builtins\.(?:exec|eval|__import__)|importlib|runpy|_posixsubprocess)(?:\.|$)/.test(
    name,
  );
}

/** The result of a call or an item of a container, not a parameter. */
function isResult(expression: Expression, scope: Scope): boolean {
  if (expression.kind === 'call' || expression.kind === 'index') return true;
  if (expression.kind !== 'name') return false;
  return (lookUp(scope, expression.id) ?? []).some(
    (bound) => bound.kind === 'value' && (bound.value.kind === 'call' || bound.value.kind === 'index'),
  );
}

function constantTextOf(argument: Argument | undefined, scope: Scope) {
  return argument && constantText(argument.value, scope);
}

/** The watched name of something, whatever module it was reached through. */
export function canonical(name: string): string {
  const [own = name] = name.split('.', 1);
  const direct = own === 'posix' || own === 'nt' ? `os${name.slice(own.length)}` : name;
  return direct
    .replace(INNER_PROCESS, '$1')
    .replace(CARRIED, (_, carried: string) => (carried === 'posix' || carried === 'nt' ? 'os' : carried));
}

function inside(origin: Origin, id: string, isHidden = false): Origin {
  return { name: canonical(`${origin.name}.${id}`), isHidden: origin.isHidden || isHidden };
}
