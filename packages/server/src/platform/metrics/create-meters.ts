import { Counter, Gauge, Histogram, Registry } from 'prom-client';

import { orAborted } from '../or-aborted.ts';

/** The values of each label. They are few and never come from callers, because each makes a series. */
type LabelValues = Readonly<Record<string, readonly string[]>>;
type Labels<L extends LabelValues> = { readonly [Name in keyof L]: L[Name][number] };

interface Named<L extends LabelValues> {
  readonly name: string;
  readonly help: string;
  readonly labels: L;
}

type Sample<L extends LabelValues> = readonly [labels: Labels<L>, value: number];

interface Read<L extends LabelValues> extends Named<L> {
  readonly read: () => readonly Sample<L>[] | Promise<readonly Sample<L>[]>;
}

/** What areas measure their work with. Every series starts at 0. */
export type Meters = Omit<ReturnType<typeof createMeters>, 'render'>;

interface Options {
  readonly onError: (error: unknown) => void;
  readonly registry?: Registry;
  /** For all reads together; a collector waits 10 seconds by default. */
  readonly readMs?: number;
}

const WORK_SECONDS = [0.01, 0.05, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800, 3600];

export function createMeters(options: Options) {
  const { onError, registry = new Registry(), readMs = 5000 } = options;
  const registers = [registry];
  const gauges: ((late: AbortSignal) => Promise<void>)[] = [];
  const failures = new Counter({
    name: 'atelier_metric_read_failures_total',
    help: 'Reads of a gauge that failed. The gauge is missing from such an answer.',
    labelNames: ['metric'],
    registers,
  });

  return {
    counter<const L extends LabelValues>({ name, help, labels }: Named<L>) {
      const counter = new Counter({ name, help, labelNames: Object.keys(labels), registers });
      for (const each of combinationsOf(labels)) counter.inc(each, 0);
      return { add: (of: Labels<L>, amount = 1) => counter.inc(of, amount) };
    },
    /** A histogram for work that takes milliseconds to an hour. */
    seconds<const L extends LabelValues>({ name, help, labels }: Named<L>) {
      const labelNames = Object.keys(labels);
      const histogram = new Histogram({ name, help, labelNames, buckets: WORK_SECONDS, registers });
      for (const each of combinationsOf(labels)) histogram.zero(each);
      // Clocks may differ between servers, or be set back.
      return { observe: (of: Labels<L>, seconds: number) => histogram.observe(of, Math.max(seconds, 0)) };
    },
    /** Read for every answer. Series that `read` leaves out are 0. A failure is counted and leaves out the gauge. */
    gauge<const L extends LabelValues>({ name, help, labels, read }: Read<L>): void {
      const gauge = new Gauge({ name, help, labelNames: Object.keys(labels), registers });
      failures.inc({ metric: name }, 0);
      let reading: Promise<readonly Sample<L>[]> | undefined;
      gauges.push(async (late) => {
        try {
          late.throwIfAborted();
          // Shared by concurrent answers, so that a database that hangs gets only one query.
          reading ??= (async () => await read())().finally(() => {
            reading = undefined;
          });
          const samples = await orAborted(reading, late);
          clear(gauge, labels);
          for (const each of combinationsOf(labels)) gauge.set(each, 0);
          for (const [of, value] of samples) gauge.set(of, value);
        } catch (error) {
          clear(gauge, labels);
          failures.inc({ metric: name });
          onError(new Error(`${name} could not be read.`, { cause: error }));
        }
      });
    },
    async render(): Promise<string> {
      const late = AbortSignal.timeout(readMs);
      // In sequence, so that an answer needs only one database connection.
      for (const refresh of gauges) await refresh(late);
      return await registry.metrics();
    },
  };
}

/** `reset` alone would leave a 0 in a gauge without labels. */
function clear(gauge: Gauge, labels: LabelValues): void {
  gauge.reset();
  if (Object.keys(labels).length === 0) gauge.remove();
}

function combinationsOf(labels: LabelValues): Record<string, string>[] {
  return Object.entries(labels).reduce<Record<string, string>[]>(
    (all, [name, values]) => all.flatMap((each) => values.map((value) => ({ ...each, [name]: value }))),
    [{}],
  );
}
