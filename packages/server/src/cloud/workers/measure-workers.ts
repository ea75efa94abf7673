import type { Meters } from '../../platform/metrics/create-meters.ts';
import { stateOf } from './connected-worker.ts';
import type { Workers } from './create-workers.ts';

const STATES = ['ready', 'draining', 'quarantined'] as const;

/** Gauges of the workers that are connected to this server. */
export function measureWorkers(meters: Meters, workers: Workers) {
  meters.gauge({
    name: 'atelier_workers',
    help: 'Workers that are connected to this server.',
    labels: { state: STATES },
    read() {
      const states = workers.all().map(stateOf);
      return STATES.map((state) => [{ state }, states.filter((each) => each === state).length]);
    },
  });
  meters.gauge({
    name: 'atelier_worker_slots',
    help: 'Slots of the workers that are connected to this server.',
    labels: { state: ['busy', 'idle'] },
    read() {
      const all = workers.all();
      const busy = all.reduce((sum, { attempts }) => sum + attempts.size, 0);
      const slots = all.reduce((sum, { hello }) => sum + hello.slots, 0);
      return [
        [{ state: 'busy' }, busy],
        [{ state: 'idle' }, Math.max(0, slots - busy)],
      ];
    },
  });
  return meters.counter({
    name: 'atelier_attempts_lost_total',
    help: 'Attempts that a worker of this server did not bring to an end, by cause.',
    labels: { cause: ['gone', 'crash', 'memory', 'disk', 'device', 'interrupted', 'returned'] },
  });
}
