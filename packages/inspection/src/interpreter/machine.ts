import type { Module, Modules } from '../python/modules.ts';
import type { Expression, Statement } from '../python/syntax.ts';
import type { ArgumentValue, Dict, Frame, FunctionValue, List, ModuleValue, Value } from './values.ts';

/** The code exceeds its allowance of steps. */
export class Exhausted extends Error {
  override readonly name = 'Exhausted';
}

/** How a statement skips the following ones. */
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
/** A few lines can build endless values. */
const MAX_ITEMS = 10_000;
/** A recursion whose end depends on unknown values would never end. */
const MAX_RECURSION = 4;

/**
 * Counts steps and depth, and tracks the region of the code: 0 if it surely runs, else the number of the branch that may run.
 * Values are certain in the region that made them, and in doubt in any other.
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
    step,
    get region() {
      return region;
    },
    /** Enters a region, and returns the function that leaves it. */
    enterMaybe,
    inMaybe<Result>(work: () => Result): Result {
      const leave = enterMaybe();
      try {
        return work();
      } finally {
        leave();
      }
    },
    /** Runs work in region 0, with its own allowance. */
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
    /** `undefined` if the nesting is too deep. */
    deeper<Result>(work: () => Result): Result | undefined {
      if (depth >= MAX_DEPTH) return undefined;
      depth += 1;
      try {
        return work();
      } finally {
        depth -= 1;
      }
    },
    /** `undefined` if the code recurses too often. */
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
    /** Whether a change to a value of another region may not happen. */
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
