import type { Runner } from '@atelier/engine/runner';

/** A process that has run nothing is not worth its 100 MB; one that has, keeps results for the next job. */
const UNUSED_MS = 30_000;
const IDLE_MS = 10 * 60_000;

interface Place {
  /** The process, unless it is resting. */
  runner: Runner | undefined;
  /** A job can be given to it. */
  isReady: boolean;
  isBusy: boolean;
  lastScope: string | undefined;
  restTimer: NodeJS.Timeout | undefined;
}

interface Parts {
  readonly size: number;
  readonly create: () => Runner;
  /** One more job can begin. */
  readonly onReady: () => void;
  readonly onBroken: (error: unknown) => void;
}

/**
 * Room for jobs, each in a process of its own. Each costs memory and a second of loading, so there is one more than is busy, up to the size, and
 * those that nobody needs rest.
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
        // A process that is ended while it loads has not failed.
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
    /** Starts the first process and tells its node types. */
    async describe(): Promise<string> {
      described ??= start().describe();
      return await described;
    },
    /** How many jobs could begin at once. */
    ready: (): number => ready().length,
    /** A ready slot, by preference the one that ran the last job of this scope and may have its results. */
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
        /** Call it when the job is over. */
        free(): void {
          place.isBusy = false;
          // The job may have ended its process, and the next one takes a while to load.
          place.isReady = false;
          whenReady(place, runner);
        },
      };
    },
    /** Those that last worked for this scope forget the results of earlier jobs. */
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
