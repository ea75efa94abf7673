import { AtelierError } from '@atelier/sdk';

import { createExternalValue } from './external-value.ts';

/** The time since which the server has not answered; `undefined` while it does. */
const offlineSince = createExternalValue<number | undefined>(undefined);

/** Tracks from the console's requests whether the server answers. */
export const connection = {
  markOnline: () => offlineSince.set(undefined),
  /** Records an error if it means that there was no response. */
  recordError(error: unknown): void {
    if (!(error instanceof AtelierError)) return;
    const isAway =
      error.code === 'client.connection' || error.code === 'client.timeout' || error.status === 502;
    if (isAway) offlineSince.set(offlineSince.get() ?? Date.now());
  },
};

export const useOfflineSince = offlineSince.use;
