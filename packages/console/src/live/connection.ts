import { AtelierError } from '@atelier/sdk';

import { createExternalValue } from './external-value.ts';

/** Since when the server has not answered; `undefined` while it does. */
const awaySince = createExternalValue<number | undefined>(undefined);

/** Whether the server answers, as the requests of the console find it. */
export const connection = {
  found: () => awaySince.set(undefined),
  /** An error that says that there was no answer. */
  note(error: unknown): void {
    if (!(error instanceof AtelierError)) return;
    const isAway =
      error.code === 'client.connection' || error.code === 'client.timeout' || error.status === 502;
    if (isAway) awaySince.set(awaySince.get() ?? Date.now());
  },
};

export const useAwaySince = awaySince.use;
