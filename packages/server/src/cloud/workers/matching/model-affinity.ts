import type { Clock } from '../../../platform/clock.ts';

/** How often, and for how long, jobs whose models are loaded can pass over a job. */
export const MAX_PASSES = 10;
export const MAX_PASSED_MS = 30_000;

interface Passed {
  count: number;
  readonly since: number;
}

/**
 * Loading models takes seconds, so jobs go where their models are loaded. No ComfyUI route says which are; a worker is assumed to have
 * those of its last job. `needs` is the key of a job's needs, and `models` are the names of its model files.
 */
export function createModelAffinity({ clock }: { readonly clock: Clock }) {
  const loaded = new Map<string, string>();
  const passed = new Map<string, Passed>();

  const nameOf = (models: readonly string[]): string => models.toSorted().join('\n');
  function mayWait(needs: string): boolean {
    const found = passed.get(needs);
    return !found || (found.count < MAX_PASSES && clock() - found.since < MAX_PASSED_MS);
  }

  return {
    /** Whether the worker has these models loaded. */
    has: (worker: string, models: readonly string[]): boolean => loaded.get(worker) === nameOf(models),
    /** The needs in `all` whose models no `ready` worker has loaded, and whose jobs may wait a little longer. */
    avoided(
      ready: readonly string[],
      all: Iterable<readonly [needs: string, models: readonly string[]]>,
    ): readonly string[] {
      const there = new Set(ready.flatMap((worker) => loaded.get(worker) ?? []));
      // A worker without models loads these as fast as any others.
      if (there.size === 0 || ready.some((worker) => !loaded.has(worker))) return [];
      return [...all].flatMap(([needs, models]) =>
        models.length > 0 && !there.has(nameOf(models)) && mayWait(needs) ? [needs] : [],
      );
    },
    /** Another job was taken while these were avoided. */
    passedOver(avoided: readonly string[]): void {
      for (const needs of avoided) {
        passed.getOrInsertComputed(needs, () => ({ count: 0, since: clock() })).count += 1;
      }
    },
    /** A job begins at a worker. */
    began(worker: string, needs: string, models: readonly string[]): void {
      passed.delete(needs);
      if (models.length > 0) loaded.set(worker, nameOf(models));
    },
    forget(worker: string): void {
      loaded.delete(worker);
    },
  };
}
