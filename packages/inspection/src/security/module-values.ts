import type { Scope } from '../python/scopes.ts';
import type { Call, Expression } from '../python/syntax.ts';
import type { Origin, Origins } from './origins.ts';

/** Modules that start programs or run code: who holds one as a value can call anything of it unseen. */
const POWERFUL =
  /^(?:os|posix|nt|subprocess|pty|ctypes|builtins|runpy|code|imp|pip|importlib(?:\.util|\.machinery)?|_posixsubprocess|_winapi)(?:\.__dict__)?$/;
/** Honest code uses it in more ways, so it counts only where it is passed on. */
const POWERFUL_WHEN_GIVEN = /^sys(?:\.modules)?$/;
/** These inspect a module or name a class and return neither. */
const READERS = new Set(
  'isinstance issubclass hasattr getattr setattr delattr print type id repr str bool callable dir vars help len list tuple set sorted iter'.split(
    ' ',
  ),
);
const LIBRARY_READERS =
  /^(?:(?:importlib|imp|builtins)\.reload|typing\.(?:cast|TypeVar|NewType)|inspect\.\w+|operator\.\w+\(\)|unittest\.mock\.patch\..+)$/;
const READERS_OF_ALL = /^(?:builtins\.(?:isinstance|issubclass|print)|typing\.(?:TypeVar|NewType))$/;
const COMPARISON = /^(?:is|is not|==|!=|in|not in|not)$/;

export function isPowerful(origin: string): boolean {
  return POWERFUL.test(origin);
}

export type ModuleValues = ReturnType<typeof createModuleValues>;

export function createModuleValues(origins: Origins, scopes: readonly Scope[]) {
  // A pack that has a `hasattr` of its own may do anything in it.
  const own = new Set([...READERS].filter((name) => scopes.some(({ names }) => names.has(name))));

  function isReader({ name, getter }: Origin): boolean {
    if (getter !== undefined || LIBRARY_READERS.test(name)) return true;
    const last = name.slice(name.lastIndexOf('.') + 1);
    return name === `builtins.${last}` && READERS.has(last) && !own.has(last);
  }

  return {
    /** Whether an expression is a dangerous module whose value is kept or passed on. */
    isModule(expression: Expression, scope: Scope, isGiven: boolean): boolean {
      const { kind } = expression;
      if (kind !== 'name' && kind !== 'attribute' && kind !== 'index' && kind !== 'call') return false;
      return origins
        .of(expression, scope)
        .some(({ name }) => POWERFUL.test(name) || (isGiven && POWERFUL_WHEN_GIVEN.test(name)));
    },

    /** Whether a call only inspects its argument at a position. */
    onlyReads({ callee, args }: Call, place: number, scope: Scope): boolean {
      const from = origins.of(callee, scope).filter(isReader);
      if (place === 0) return from.some(({ name }) => name !== 'builtins.type' || args.length === 1);
      return from.some(({ name }) => READERS_OF_ALL.test(name));
    },
  };
}

/** `a is b` and `a in b` return neither operand. */
export function isComparison(expression: Expression): boolean {
  return expression.kind === 'operation' && COMPARISON.test(expression.operator);
}
