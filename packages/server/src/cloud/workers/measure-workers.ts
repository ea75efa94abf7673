import type { Meters } from '../../platform/metrics/create-meters.ts';
import type { Workers } from './create-workers.ts';

/** Gauges of the workers that are connected to this server. */
export function measureWorkers(meters: Meters, workers: Workers) {
  meters.gauge({
    name: 'atelier_workers',
    help: 'Workers that are connected to this server.',
    labels: { state: ['ready', 'draining', 'quarantined'] },
    read() {
      const all = workers.all().filter(({ link }) => link);
      const quarantined = all.filter(({ record }) => record.quarantine !== undefined).length;
      const draining = all.filter(
        ({ isDraining, record }) => isDraining && record.quarantine === undefined,
      ).length;
      return [
        [{ state: 'quarantined' }, quarantined],
        [{ state: 'draining' }, draining],
        [{ state: 'ready' }, all.length - quarantined - draining],
      ];
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
