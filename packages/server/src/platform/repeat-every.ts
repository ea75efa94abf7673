/** Runs `work` again and again, never two at once. Call the result to stop; it waits for a run under way. */
export function repeatEvery(
  ms: number,
  work: () => Promise<void>,
  onError: (error: unknown) => void,
): () => Promise<void> {
  let underWay: Promise<void> | undefined;
  const timer = setInterval(() => {
    underWay ??= work()
      .catch(onError)
      .finally(() => {
        underWay = undefined;
      });
  }, ms);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await underWay;
  };
}
