import type { Clock } from './clock.ts';

/** Caches the last value for `ms`. Concurrent callers share one load; a failed load is not cached. */
export function memoizeFor<T>(ms: number, clock: Clock, load: () => Promise<T>): () => T | Promise<T> {
  let known: { readonly value: T; readonly until: number } | undefined;
  let loading: Promise<T> | undefined;
  return () => {
    if (known && clock() < known.until) return known.value;
    loading ??= load()
      .then((value) => {
        known = { value, until: clock() + ms };
        return value;
      })
      .finally(() => {
        loading = undefined;
      });
    return loading;
  };
}
