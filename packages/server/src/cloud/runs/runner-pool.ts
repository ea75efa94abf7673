import type { Runner } from '@atelier/engine';

/** A place where one job runs at a time. */
export interface Lane {
  /** The thread, started at its first use. */
  runner(): Runner;
  /** Call it when the job is over. */
  free(): void;
}

export interface RunnerPool {
  /** A free lane, by preference the one that ran this user's last job and may have its results; `undefined` when all are busy. */
  take(userId: string): Lane | undefined;
  hasFree(): boolean;
  /** Starts the first thread before it is needed: loading its node types takes a second. */
  warm(): void;
  /** The runners that last worked for this user forget the results of earlier jobs. */
  forget(userId: string): void;
  close(): Promise<void>;
}

interface Place {
  runner: Runner | undefined;
  busy: boolean;
  lastUser: string | undefined;
}

export function createRunnerPool({
  places: count,
  create,
}: {
  readonly places: number;
  readonly create: () => Runner;
}): RunnerPool {
  const places: Place[] = Array.from({ length: count }, () => ({
    runner: undefined,
    busy: false,
    lastUser: undefined,
  }));
  const runnerOf = (place: Place): Runner => {
    place.runner ??= create();
    return place.runner;
  };

  return {
    take(userId) {
      const free = places.filter((place) => !place.busy);
      // A thread that runs already is better than one that must be started.
      const place =
        free.find(({ lastUser }) => lastUser === userId) ?? free.find(({ runner }) => runner) ?? free[0];
      if (!place) return undefined;
      place.busy = true;
      place.lastUser = userId;
      return {
        runner: () => runnerOf(place),
        free() {
          place.busy = false;
        },
      };
    },
    hasFree: () => places.some(({ busy }) => !busy),
    warm() {
      const [first] = places;
      if (first) runnerOf(first);
    },
    forget(userId) {
      for (const { runner, lastUser } of places) if (lastUser === userId) runner?.forget();
    },
    async close() {
      await Promise.all(places.map(async ({ runner }) => await runner?.close()));
    },
  };
}
