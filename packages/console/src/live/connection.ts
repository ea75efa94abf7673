import { AtelierError } from '@atelier/sdk';
import { useSyncExternalStore } from 'react';

/** Since when the server has not answered; `undefined` while it does. */
let awaySince: number | undefined;
const listeners = new Set<() => void>();

function set(since: number | undefined): void {
  if ((awaySince === undefined) === (since === undefined)) return;
  awaySince = since;
  for (const listener of listeners) listener();
}

/** Whether the server answers, as the requests of the console find it. */
export const connection = {
  found: () => set(undefined),
  /** An error that says that nobody has answered. */
  note(error: unknown): void {
    if (!(error instanceof AtelierError)) return;
    const isAway =
      error.code === 'client.connection' || error.code === 'client.timeout' || error.status === 502;
    if (isAway) set(Date.now());
  },
};

export function useAwaySince(): number | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => awaySince,
  );
}
