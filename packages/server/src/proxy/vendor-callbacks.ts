import { createLinkSeal, type Seal } from '../platform/files/link-seal.ts';
import type { Secret } from '../platform/secret.ts';
import type { ServiceParts } from '../platform/service-parts.ts';
import { makeDueNow } from './runs/leases.repo.ts';

interface Parts extends ServiceParts {
  readonly key: Secret<Uint8Array>;
  /** Where vendors reach this server. Without it tasks are only polled. */
  readonly publicUrl: string | undefined;
  readonly wake: () => void;
}

export type VendorCallbacks = ReturnType<typeof createVendorCallbacks>;

/** As long as the slowest task may take. */
const LIFE_MS = 72 * 3_600_000;

/** Calls by vendors about changed tasks. They only make the next check happen sooner. */
export function createVendorCallbacks({ db, clock, key, publicUrl, wake }: Parts) {
  const seal = createLinkSeal({ key, purpose: 'vendor-callback.1', clock });
  return {
    urlFor(taskId: string): string | undefined {
      if (publicUrl === undefined) return undefined;
      const query = new URLSearchParams({ ...seal.sign([taskId], clock() + LIFE_MS) });
      return `${publicUrl}/proxy/callbacks/${taskId}?${query}`;
    },
    /** Makes the task due now. A second call, or one for an ended task, changes nothing. */
    async receive(taskId: string, given: Seal): Promise<void> {
      seal.verify([taskId], given);
      if (await makeDueNow(db, taskId, clock())) wake();
    },
  };
}
