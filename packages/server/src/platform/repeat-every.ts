/** Runs `work` every `ms`, never twice at once. Call the result to stop: it aborts the signal and waits for the last run. */
export function repeatEvery(
  ms: number,
  work: (signal: AbortSignal) => Promise<void>,
  onError: (error: unknown) => void,
): () => Promise<void> {
  const stopping = new AbortController();
  let underWay: Promise<void> | undefined;
  const timer = setInterval(() => {
    underWay ??= work(stopping.signal)
      .catch(onError)
      .finally(() => {
        underWay = undefined;
      });
  }, ms);
  timer.unref();
  return async () => {
    clearInterval(timer);
    stopping.abort();
    await underWay;
  };
}
