import type { Module, Modules } from '../python/modules.ts';
import type { Expression, Statement } from '../python/syntax.ts';
import type { ArgumentValue, Dict, Frame, FunctionValue, List, ModuleValue, Value } from './values.ts';

/** The code goes on for longer than it is followed. */
export class Exhausted extends Error {
  override readonly name = 'Exhausted';
}

/** How a statement leaves the ones after it. */
export interface Jump {
  readonly word: 'return' | 'break' | 'continue' | 'raise';
  readonly isMaybe: boolean;
}

export interface Interpreter {
  readonly modules: Modules;
  readonly machine: Machine;
  evaluate(expression: Expression, frame: Frame): Value;
  assign(target: Expression, value: Value, frame: Frame): void;
  run(statements: readonly Statement[], frame: Frame): Jump | undefined;
  apply(callee: Value, args: readonly ArgumentValue[]): Value;
  callFunction(called: FunctionValue, args: readonly ArgumentValue[]): Value;
  attribute(object: Value, id: string): Value;
  load(module: Module): ModuleValue;
}

export type Machine = ReturnType<typeof createMachine>;

const MAX_DEPTH = 400;
/** A few lines can stand for values without end. */
const MAX_ITEMS = 10_000;
/** Where the end of a recursion depends on what is not known, it would have none. */
const MAX_RECURSION = 4;

/**
 * Counts steps and depth, and knows in which region the code runs: 0 where it surely runs, else the number of the
 * branch that may or may not run. What was made in a region is certain there and in doubt in any other.
 */
export function createMachine(total: number) {
  let left = 0;
  let whole = total;
  let depth = 0;
  let region = 0;
  let regions = 0;
  const active = new Map<object, number>();

  const step = (count = 1): void => {
    left -= count;
    whole -= count;
    if (left < 0 || whole < 0) throw new Exhausted();
  };
  const enterMaybe = () => {
    const before = region;
    regions += 1;
    region = regions;
    return () => {
      region = before;
    };
  };

  return {
    /** Throws an `Exhausted` when the allowance is used up. */
    step,
    get region() {
      return region;
    },
    /** Enters a region that lasts until the answer is called. */
    enterMaybe,
    inMaybe<Result>(work: () => Result): Result {
      const leave = enterMaybe();
      try {
        return work();
      } finally {
        leave();
      }
    },
    /** Work that has nothing to do with where it was asked for, with an allowance of its own. */
    apart<Result>(steps: number, work: () => Result): Result {
      const before = { left, region };
      left = steps;
      region = 0;
      try {
        return work();
      } finally {
        ({ left, region } = before);
      }
    },
    /** `undefined` when the work would nest too deeply. */
    deeper<Result>(work: () => Result): Result | undefined {
      if (depth >= MAX_DEPTH) return undefined;
      depth += 1;
      try {
        return work();
      } finally {
        depth -= 1;
      }
    },
    /** `undefined` where that code calls itself further than it is followed. */
    once<Result>(code: object, work: () => Result): Result | undefined {
      const times = active.get(code) ?? 0;
      if (times >= MAX_RECURSION) return undefined;
      active.set(code, times + 1);
      try {
        return work();
      } finally {
        active.set(code, times);
      }
    },
    /** Whether a change to what was made in another region may not happen. */
    isMaybe: (born: number): boolean => region !== 0 && region !== born,
    list(items: readonly Value[], gaps = 0): List {
      step(items.length);
      if (items.length > MAX_ITEMS) throw new Exhausted();
      return { kind: 'list', items: [...items], gaps, born: region };
    },
    dict(entries: Iterable<readonly [string, Value]> = [], gaps = 0): Dict {
      const made = new Map(entries);
      step(made.size);
      return { kind: 'dict', entries: made, gaps, born: region };
    },
  };
}

export function createFrame(
  { region }: Machine,
  given: Pick<Frame, 'kind' | 'file' | 'owner'> & { readonly parent?: Frame },
): Frame {
  const empty = { names: new Map<string, Value>(), outer: new Set<string>(), returns: [], isCut: false };
  return { parent: undefined, ...given, ...empty, born: region };
}
