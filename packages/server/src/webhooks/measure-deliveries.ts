import type { Clock } from '../platform/clock.ts';
import type { Db } from '../platform/db/database.ts';
import type { Meters } from '../platform/metrics/create-meters.ts';
import { countDue, countHeldEndpoints } from './backlog.repo.ts';
import type { Verdict } from './classify-attempt.ts';

interface Parts {
  readonly db: Db;
  readonly clock: Clock;
  readonly meters: Meters;
}

const OUTCOMES = {
  delivered: 'delivered',
  pending: 'failed',
  failed: 'given_up',
} as const satisfies Record<Verdict['status'], string>;

/** Measures deliveries; the result is to be told of every try. */
export function measureDeliveries({ db, clock, meters }: Parts): (verdict: Verdict) => void {
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
