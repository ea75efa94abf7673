/** Calls `load` once, when it is first needed. For modules above all: importing a loaded one again takes 50 µs. */
export function loadOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined;
  return async () => await (loading ??= load());
}
