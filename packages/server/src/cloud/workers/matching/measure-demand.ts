import { memoizeFor } from '../../../platform/memoize-for.ts';
import type { Meters } from '../../../platform/metrics/create-meters.ts';
import type { DemandTracker } from './demand.ts';

/** All gauges of one scrape share a measurement. */
const KEPT_MS = 1000;
/** Replaces labels that only jobs name, because anybody could create time series with them. */
const OTHER = 'other';
const BY_LABEL = [
  ['atelier_label_waiting_jobs', 'waiting_jobs', 'Jobs that wait for a worker with this label.'],
  [
    'atelier_label_waiting_seconds',
    'waiting_seconds',
    'How long the workers with this label would take for the jobs that wait for them.',
  ],
  ['atelier_label_slots', 'slots', 'Slots of the workers with this label that take jobs, of all servers.'],
] as const;

/** Gauges of the work that waits for workers, for autoscalers. */
export function measureDemand(meters: Meters, measure: DemandTracker['measure']): void {
  const read = memoizeFor(KEPT_MS, () => performance.now(), measure);

  async function byLabel(field: (typeof BY_LABEL)[number][1]) {
    const { labels, known } = await read();
    const sums = new Map<string, number>();
    for (const { label, [field]: value } of labels) {
      const shown = known.has(label) ? label : OTHER;
      sums.set(shown, (sums.get(shown) ?? 0) + value);
    }
    return [...sums].map(([label, value]) => [{ label }, value] as const);
  }

  meters.gauge({
    name: 'atelier_waiting_jobs',
    help: 'Jobs that wait, by the kind of worker that they need, of all servers on this database.',
    labels: { kind: ['built-in', 'comfyui'] },
    async read() {
      const { kinds } = await read();
      return [...kinds].map(([kind, count]) => [{ kind }, count] as const);
    },
  });
  for (const [name, field, help] of BY_LABEL) {
    // The labels are not known in advance.
    meters.gauge({
      name,
      help,
      labels: { label: [] as readonly string[] },
      read: async () => await byLabel(field),
    });
  }
}
