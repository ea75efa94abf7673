import type { Meters } from '../platform/metrics/create-meters.ts';
import type { ServiceParts } from '../platform/service-parts.ts';
import { countDue, countHeldEndpoints } from './deliveries.repo.ts';
import type { RetryDecision } from './retry-policy.ts';

interface Parts extends ServiceParts {
  readonly meters: Meters;
}

const OUTCOMES = {
  delivered: 'delivered',
  pending: 'failed',
  failed: 'given_up',
} as const satisfies Record<RetryDecision['status'], string>;

/** Call the result after every try. */
export function measureDeliveries({ db, clock, meters }: Parts): (decision: RetryDecision) => void {
  meters.gauge({
    name: 'atelier_webhook_deliveries_due',
    help: 'Deliveries that wait for a try now, of all servers on this database.',
    labels: {},
    read: async () => [[{}, await countDue(db, clock())]],
  });
  meters.gauge({
    name: 'atelier_webhook_endpoints_paused',
    help: 'Paused endpoints that messages are held for, of all servers on this database.',
    labels: {},
    read: async () => [[{}, await countHeldEndpoints(db)]],
  });
  const tries = meters.counter({
    name: 'atelier_webhook_tries_total',
    help: 'Tries that this server has made to deliver a message.',
    labels: { outcome: ['delivered', 'failed', 'given_up'] },
  });
  return ({ status }) => tries.add({ outcome: OUTCOMES[status] });
}
