export interface Turns {
  /** Asks for a turn: now, or one more after the one under way. */
  want(): void;
  /** Waits for the turn under way. */
  settled(): Promise<void>;
}

/** Runs `work` whenever somebody wants it, never two at once, and once more for all who asked meanwhile. */
export function createTurns(work: () => Promise<void>, onError: (error: unknown) => void): Turns {
  let turn: Promise<void> | undefined;
  let isWanted = false;

  const take = async (): Promise<void> => {
    try {
      while (isWanted) {
        isWanted = false;
        await work();
      }
    } catch (error) {
      onError(error);
    } finally {
      turn = undefined;
    }
  };

  return {
    want() {
      isWanted = true;
      turn ??= take();
    },
    async settled() {
      await turn;
    },
  };
}
