import type { Meters } from '../../../platform/metrics/create-meters.ts';
import type { DemandTracker } from './demand.ts';

/** One answer has several gauges of it. */
const KEPT_MS = 1000;
/** Stands for labels that only jobs name: anybody could make series of them. */
const OTHER = 'other';
/** They are not known beforehand, but operators give them. */
const LABELS = { label: [] as readonly string[] };

/** Gauges of the work that waits for workers, for autoscalers. */
export function measureDemand(meters: Meters, measure: DemandTracker['measure']): void {
  let last: { readonly at: number; readonly demand: ReturnType<DemandTracker['measure']> } | undefined;

  async function read() {
    const now = performance.now();
    if (!last || now - last.at > KEPT_MS) last = { at: now, demand: measure() };
    return await last.demand;
  }

  async function byLabel(field: 'waiting_jobs' | 'waiting_seconds' | 'slots') {
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
  meters.gauge({
    name: 'atelier_label_waiting_jobs',
    help: 'Jobs that wait for a worker with this label.',
    labels: LABELS,
    read: async () => await byLabel('waiting_jobs'),
  });
  meters.gauge({
    name: 'atelier_label_waiting_seconds',
    help: 'How long the workers with this label would take for the jobs that wait for them.',
    labels: LABELS,
    read: async () => await byLabel('waiting_seconds'),
  });
  meters.gauge({
    name: 'atelier_label_slots',
    help: 'Slots of the workers with this label that take jobs, of all servers.',
    labels: LABELS,
    read: async () => await byLabel('slots'),
  });
}
