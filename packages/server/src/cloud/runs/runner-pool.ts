import type { Runner } from '@atelier/engine';

/** A place where one job runs at a time. */
export interface Lane {
  readonly runner: Runner;
  /** Call it when the job is over. */
  free(): void;
}

export interface RunnerPool {
  /** How many lanes it may have. */
  readonly size: number;
  /** Whether a job that is claimed now runs at once. */
  hasReady(): boolean;
  /** Whether there is a place for one more process, and none is on its way. */
  canStart(): boolean;
  /** Starts one more process if it can; `onReady` is told when it can take a job. */
  startOne(onReady: () => void): void;
  /** A lane that is ready, by preference the one that ran this user's last job and may have its results. */
  take(userId: string): Lane | undefined;
  /** The runners that last worked for this user forget the results of earlier jobs. */
  forget(userId: string): void;
  close(): Promise<void>;
}

interface Place {
  readonly runner: Runner;
  isReady: boolean;
  isBusy: boolean;
  lastUser: string | undefined;
}

interface Parts {
  /** How many jobs run at once. */
  readonly size: number;
  readonly create: () => Runner;
  readonly onError: (error: unknown) => void;
}

/** Processes that run jobs. Each costs memory and a second of loading, so they are started when there is work for them. */
export function createRunnerPool({ size, create, onError }: Parts): RunnerPool {
  const places: Place[] = [];
  let isClosed = false;
  const ready = (): Place[] => places.filter(({ isReady, isBusy }) => isReady && !isBusy);

  const canStart = (): boolean => places.length < size && places.every(({ isReady }) => isReady);

  return {
    size,
    hasReady: () => ready().length > 0,
    canStart,
    startOne(onReady) {
      if (!canStart()) return;
      const place: Place = { runner: create(), isReady: false, isBusy: false, lastUser: undefined };
      places.push(place);
      place.runner
        .ready()
        .then(() => {
          place.isReady = true;
          onReady();
          return undefined;
        })
        .catch((error: unknown) => {
          places.splice(places.indexOf(place), 1);
          // A process that is ended while it loads has not failed.
          if (!isClosed) onError(error);
        });
    },
    take(userId) {
      const free = ready();
      const place = free.find(({ lastUser }) => lastUser === userId) ?? free[0];
      if (!place) return undefined;
      place.isBusy = true;
      place.lastUser = userId;
      return {
        runner: place.runner,
        free() {
          place.isBusy = false;
        },
      };
    },
    forget(userId) {
      for (const { runner, lastUser } of places) if (lastUser === userId) runner.forget();
    },
    async close() {
      isClosed = true;
      await Promise.all(places.map(async ({ runner }) => await runner.close()));
    },
  };
}
