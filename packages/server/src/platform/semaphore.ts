export type Release = () => void;

/** At most `places` holders at a time, in order of arrival. With one place it is a mutex. */
export function createSemaphore(places: number) {
  const waiting: (() => void)[] = [];
  let free = places;

  return {
    async acquire(): Promise<Release> {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      let isReleased = false;
      return () => {
        if (isReleased) return;
        isReleased = true;
        const next = waiting.shift();
        if (next) next();
        else free += 1;
      };
    },
  };
}
