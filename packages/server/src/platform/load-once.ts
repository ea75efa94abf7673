/**
 * Calls `load` when it is first needed, and never again. For modules that not every start needs: asking the loader for one that is there
 * takes 50 µs.
 */
export function loadOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined;
  return async () => await (loading ??= load());
}
