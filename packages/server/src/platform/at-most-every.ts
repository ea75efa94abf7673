/** Throttles `work`: a call that comes too soon is done when the interval is over. */
export function atMostEvery(ms: number, work: () => void) {
  let lastAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;

  function run(): void {
    timer = undefined;
    lastAt = performance.now();
    work();
  }

  return {
    ask(): void {
      if (timer) return;
      const left = lastAt + ms - performance.now();
      if (left <= 0) run();
      else timer = setTimeout(run, left).unref();
    },
    stop: () => clearTimeout(timer),
  };
}
