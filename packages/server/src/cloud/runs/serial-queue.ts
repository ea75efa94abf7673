import { setImmediate as nextTurn } from 'node:timers/promises';

type Step = () => Promise<void> | undefined;

/** A burst yields the event loop after this time: the 20 000 messages of a large graph blocked it for 3 s. */
const SLICE_MS = 10;

/**
 * Runs steps one after another, synchronously as long as none has to be awaited. A step that is added while another one is
 * awaited, or during a long burst, waits its turn.
 */
export function createSerialQueue(now = (): number => performance.now()) {
  const steps: Step[] = [];
  let failure: { readonly error: unknown } | undefined;
  let draining: Promise<void> | undefined;
  /** When the first step in this turn of the event loop began. */
  let turnBegan: number | undefined;

  function isTurnOver(): boolean {
    if (turnBegan === undefined) {
      turnBegan = now();
      setImmediate(() => {
        turnBegan = undefined;
      });
    }
    return now() - turnBegan > SLICE_MS;
  }

  async function drain(): Promise<void> {
    // The loop also reaches steps that are added meanwhile.
    for (const step of steps) {
      while (isTurnOver()) await nextTurn();
      try {
        const waits = step();
        if (waits) await waits;
      } catch (error) {
        failure ??= { error };
      }
    }
    steps.length = 0;
  }

  return {
    add(step: Step): void {
      steps.push(step);
      // Otherwise the current drain runs it.
      if (steps.length === 1) draining = drain();
    },
    /** Resolves when all steps are done; rejects with the first failure. */
    async done(): Promise<void> {
      while (steps.length > 0) await draining;
      if (failure) throw failure.error;
    },
  };
}
