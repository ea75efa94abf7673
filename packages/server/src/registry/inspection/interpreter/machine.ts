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

/**
 * Counts steps and depth, and knows in which region the code runs: 0 where it surely runs, else the number of the
 * branch that may or may not run. What was made in a region is certain there and in doubt in any other.
 */
export interface Machine {
  /** Throws an `Exhausted` when the allowance is used up. */
  step(count?: number): void;
  readonly region: number;
  inMaybe<Result>(work: () => Result): Result;
  /** Enters a region that lasts until the answer is called. */
  enterMaybe(): () => void;
  /** Work that has nothing to do with where it was asked for, with an allowance of its own. */
  apart<Result>(steps: number, work: () => Result): Result;
  /** `undefined` when the work would nest too deeply. */
  deeper<Result>(work: () => Result): Result | undefined;
  /** `undefined` where that code calls itself further than it is followed. */
  once<Result>(code: object, work: () => Result): Result | undefined;
  /** Whether a change to what was made in another region may not happen. */
  isMaybe(born: number): boolean;
  list(items: readonly Value[], gaps?: number): List;
  dict(entries?: Iterable<readonly [string, Value]>, gaps?: number): Dict;
}

const MAX_DEPTH = 400;
/** A few lines can stand for values without end. */
const MAX_ITEMS = 10_000;
/** Where the end of a recursion depends on what is not known, it would have none. */
const MAX_RECURSION = 4;

export function createMachine(total: number): Machine {
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
    step,
    get region() {
      return region;
    },
    enterMaybe,
    inMaybe(work) {
      const leave = enterMaybe();
      try {
        return work();
      } finally {
        leave();
      }
    },
    apart(steps, work) {
      const before = { left, region };
      left = steps;
      region = 0;
      try {
        return work();
      } finally {
        ({ left, region } = before);
      }
    },
    deeper(work) {
      if (depth >= MAX_DEPTH) return undefined;
      depth += 1;
      try {
        return work();
      } finally {
        depth -= 1;
      }
    },
    once(code, work) {
      const times = active.get(code) ?? 0;
      if (times >= MAX_RECURSION) return undefined;
      active.set(code, times + 1);
      try {
        return work();
      } finally {
        active.set(code, times);
      }
    },
    isMaybe: (born) => region !== 0 && region !== born,
    list(items, gaps = 0) {
      step(items.length);
      if (items.length > MAX_ITEMS) throw new Exhausted();
      return { kind: 'list', items: [...items], gaps, born: region };
    },
    dict(entries = [], gaps = 0) {
      const made = new Map(entries);
      step(made.size);
      return { kind: 'dict', entries: made, gaps, born: region };
    },
  };
}

export function createFrame(
  machine: Machine,
  { kind, file, parent, owner }: Pick<Frame, 'kind' | 'file' | 'owner'> & { readonly parent?: Frame },
): Frame {
  return {
    kind,
    file,
    parent,
    names: new Map(),
    outer: new Set(),
    born: machine.region,
    returns: [],
    isCut: false,
    ...(owner ? { owner } : {}),
  };
}
