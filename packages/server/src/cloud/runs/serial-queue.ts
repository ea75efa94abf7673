import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Runs steps one after another, synchronously as long as none has to be awaited. A step that is added while another one is
 * awaited, or in a long burst, waits its turn.
 */
export interface SerialQueue {
  add(step: () => Promise<void> | undefined): void;
  /** Resolves when everything that was added is done; rejects with the first failure. */
  done(): Promise<void>;
}

/** After this long a burst lets others have the event loop: the 20 000 messages of a large graph held it for 3 s. */
const SLICE_MS = 10;

export function createSerialQueue(now = (): number => performance.now()): SerialQueue {
  const steps: (() => Promise<void> | undefined)[] = [];
  let failure: { readonly error: unknown } | undefined;
  let draining: Promise<void> | undefined;
  /** When the first step of this turn of the event loop began. */
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
    // Includes the steps that are added meanwhile.
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
    add(step) {
      steps.push(step);
      // The others are done with the drain that is under way.
      if (steps.length === 1) draining = drain();
    },
    async done() {
      while (steps.length > 0) await draining;
      if (failure) throw failure.error;
    },
  };
}
