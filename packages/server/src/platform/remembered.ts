import type { Clock } from './clock.ts';

/** The last answer for so long, and one look at a time however many ask. A look that fails is not remembered. */
export function remembered<T>(ms: number, clock: Clock, look: () => Promise<T>): () => T | Promise<T> {
  let known: { readonly value: T; readonly until: number } | undefined;
  let looking: Promise<T> | undefined;
  return () => {
    if (known && clock() < known.until) return known.value;
    looking ??= look()
      .then((value) => {
        known = { value, until: clock() + ms };
        return value;
      })
      .finally(() => {
        looking = undefined;
      });
    return looking;
  };
}
