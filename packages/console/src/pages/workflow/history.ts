/** A value with its earlier states. */
export interface History<T> {
  readonly now: T;
  readonly past: readonly T[];
  readonly future: readonly T[];
  /** The subject and time of the last change: quick changes of the same subject are one step. */
  readonly last: { readonly what: string; readonly at: number } | undefined;
}

const MAX_STEPS = 200;
const MERGE_WINDOW_MS = 1500;

export function createHistory<T>(now: T): History<T> {
  return { now, past: [], future: [], last: undefined };
}

export function change<T>(history: History<T>, next: T, what: string, at: number): History<T> {
  if (next === history.now) return history;
  const { last, past, now } = history;
  const isSame = last?.what === what && at - last.at < MERGE_WINDOW_MS;
  return {
    now: next,
    past: isSame ? past : [...past, now].slice(-MAX_STEPS),
    future: [],
    last: { what, at },
  };
}

export function undo<T>({ now, past, future, last }: History<T>): History<T> {
  const before = past.at(-1);
  if (before === undefined) return { now, past, future, last };
  return { now: before, past: past.slice(0, -1), future: [now, ...future], last: undefined };
}

export function redo<T>({ now, past, future, last }: History<T>): History<T> {
  const [next, ...rest] = future;
  if (next === undefined) return { now, past, future, last };
  return { now: next, past: [...past, now], future: rest, last: undefined };
}
