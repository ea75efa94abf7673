export type Release = () => void;

export interface Mutex {
  /** Resolves in order of arrival once every earlier holder has released. */
  acquire(): Promise<Release>;
}

/** One holder at a time. */
export function createMutex(): Mutex {
  return createSemaphore(1);
}

/** At most `places` holders at a time. */
export function createSemaphore(places: number): Mutex {
  const waiting: (() => void)[] = [];
  let free = places;

  const releaseOnce = (): Release => {
    let released = false;
    return () => {
      if (released) return;
      released = true;
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    };
  };

  return {
    async acquire() {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      return releaseOnce();
    },
  };
}
