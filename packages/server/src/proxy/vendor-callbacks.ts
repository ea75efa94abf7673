import type { Clock } from '../platform/clock.ts';
import type { Db } from '../platform/db/database.ts';
import { createLinkSeal, type Seal } from '../platform/files/link-seal.ts';
import type { Secret } from '../platform/secret.ts';
import { makeDueNow } from './runs/leases.repo.ts';

interface Parts {
  readonly db: Db;
  readonly clock: Clock;
  readonly key: Secret<Uint8Array>;
  /** Where vendors reach this server; without it they are only asked. */
  readonly publicUrl: string | undefined;
  readonly wake: () => void;
}

export interface VendorCallbacks {
  urlFor(taskId: string): string | undefined;
  /** Looks at the task now. A second call, or one for a task that has ended, changes nothing. */
  receive(taskId: string, seal: Seal): Promise<void>;
}

/** As long as the slowest task may take. */
const LIFE_MS = 72 * 3_600_000;

/** Calls of vendors that a task has changed. They only make us ask sooner. */
export function createVendorCallbacks({ db, clock, key, publicUrl, wake }: Parts): VendorCallbacks {
  const seal = createLinkSeal({ key, purpose: 'vendor-callback.1', clock });
  return {
    urlFor(taskId) {
      if (publicUrl === undefined) return undefined;
      const query = new URLSearchParams({ ...seal.sign([taskId], clock() + LIFE_MS) });
      return `${publicUrl}/proxy/callbacks/${taskId}?${query}`;
    },
    async receive(taskId, given) {
      seal.verify([taskId], given);
      if (await makeDueNow(db, taskId, clock())) wake();
    },
  };
}
