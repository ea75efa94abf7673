/**
 * Does one thing after another, at once as long as nothing has to be waited for. What comes while something is waited for waits
 * its turn.
 */
export interface InOrder {
  add(step: () => Promise<void> | undefined): void;
  /** Resolves when everything that was added is done; rejects with the first failure. */
  done(): Promise<void>;
}

export function createInOrder(): InOrder {
  let last: Promise<void> | undefined;
  let failure: { readonly error: unknown } | undefined;

  const follow = (step: Promise<void>): void => {
    const over = step
      .catch((error: unknown) => {
        failure ??= { error };
      })
      .finally(() => {
        if (last === over) last = undefined;
      });
    last = over;
  };

  /** What is waited for may have been joined by more in the meantime. */
  async function settled(): Promise<void> {
    if (!last) return;
    await last;
    await settled();
  }

  return {
    add(step) {
      if (last) {
        follow(last.then(async () => await step()));
        return;
      }
      const waits = step();
      if (waits) follow(waits);
    },
    async done() {
      await settled();
      if (failure) throw failure.error;
    },
  };
}
