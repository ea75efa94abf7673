import type { Runner } from '@atelier/engine/runner';

/** An idle process costs 100 MB. One that has run a job is kept longer, because it has results for the next one. */
const UNUSED_MS = 30_000;
const IDLE_MS = 10 * 60_000;

interface Place {
  /** The process, unless it was stopped because it was idle. */
  runner: Runner | undefined;
  isReady: boolean;
  isBusy: boolean;
  lastScope: string | undefined;
  restTimer: NodeJS.Timeout | undefined;
}

interface Parts {
  readonly size: number;
  readonly create: () => Runner;
  /** Called when one more job can begin. */
  readonly onReady: () => void;
  readonly onBroken: (error: unknown) => void;
}

/**
 * Room for jobs, each in its own process. A process costs memory and a second of loading, so there is one more than is busy, up to
 * `size`, and idle ones are stopped.
 */
export function createSlots({ size, create, onReady, onBroken }: Parts) {
  const places: Place[] = [];
  let isClosed = false;
  let described: Promise<string> | undefined;
  const ready = (): Place[] => places.filter(({ isReady, isBusy }) => isReady && !isBusy);

  function whenReady(place: Place, runner: Runner): void {
    runner
      .ready()
      .then(() => {
        place.isReady = true;
        restLater(place);
        onReady();
        return undefined;
      })
      .catch((error: unknown) => {
        // A process that was stopped while it loaded has not failed.
        if (!isClosed) onBroken(error);
      });
  }

  function restLater(place: Place): void {
    clearTimeout(place.restTimer);
    const rest = (): void => {
      if (place.isBusy) return;
      const resting = place.runner;
      place.runner = undefined;
      resting?.close().catch(onBroken);
    };
    place.restTimer = setTimeout(rest, place.lastScope === undefined ? UNUSED_MS : IDLE_MS).unref();
  }

  function start(): Runner {
    const runner = create();
    const place = { runner, isReady: false, isBusy: false, lastScope: undefined, restTimer: undefined };
    places.push(place);
    whenReady(place, runner);
    return runner;
  }

  return {
    /** Starts the first process and returns the description of its node types. */
    async describe(): Promise<string> {
      described ??= start().describe();
      return await described;
    },
    ready: (): number => ready().length,
    /** A ready slot, preferably the one that ran the last job of this scope and may have its results. */
    take(scope: string) {
      const idle = ready();
      const place = idle.find(({ lastScope }) => lastScope === scope) ?? idle[0];
      if (!place) return undefined;
      clearTimeout(place.restTimer);
      place.runner ??= create();
      place.isBusy = true;
      place.lastScope = scope;
      if (idle.length === 1 && places.length < size) start();
      const { runner } = place;
      return {
        runner,
        /** Must be called when the job is over. */
        free(): void {
          place.isBusy = false;
          // The job may have ended its process, and a new one takes a while to load.
          place.isReady = false;
          whenReady(place, runner);
        },
      };
    },
    /** Drops the results of earlier jobs of this scope. */
    forget(scope: string): void {
      for (const { runner, lastScope } of places) if (lastScope === scope) runner?.forget();
    },
    async close(): Promise<void> {
      isClosed = true;
      for (const { restTimer } of places) clearTimeout(restTimer);
      await Promise.all(places.map(async ({ runner }) => await runner?.close()));
    },
  };
}
