import type { Bench, RatioRow, Row, Sample, ValueRow } from './row.ts';

export interface Measured {
  readonly name: string;
  readonly unit: ValueRow['unit'];
  readonly ours: number;
  readonly bare?: number;
  readonly ratio?: number;
  /** The ratio of every round: how far they lie apart tells how quiet the machine was. */
  readonly rounds?: readonly number[];
  /** The bare server's computing time a request, in relation to ours. */
  readonly cpuRatio?: number;
  readonly p50Ms?: number;
  readonly p99Ms?: number;
  readonly bar: number;
  readonly isMet: boolean;
}

const WARM_UP_SECONDS = 1;

export async function measure(row: Row, bench: Bench, rounds: number): Promise<Measured> {
  if ('prepare' in row) return await compare(row, bench, rounds);
  const { name, unit, bar } = row;
  const ours = await row.measure(bench);
  return { name, unit, ours, bar, isMet: unit === '/s' ? ours >= bar : ours <= bar };
}

/**
 * The two sides take turns, because other work on the machine comes and goes: a round's two measurements are
 * a few seconds apart, and the median of the rounds' ratios forgets the one that was disturbed.
 */
async function compare(row: RatioRow, bench: Bench, count: number): Promise<Measured> {
  const { name, bar } = row;
  const sides = await row.prepare(bench);
  for (const load of [sides.bare, sides.ours]) await load(Math.min(WARM_UP_SECONDS, bench.seconds));
  const rounds: { readonly ours: Sample; readonly bare: Sample }[] = [];
  while (rounds.length < count) {
    const bare = await sides.bare(bench.seconds);
    rounds.push({ bare, ours: await sides.ours(bench.seconds) });
  }
  const ratios = rounds.map(({ ours, bare }) => ours.rate / bare.rate);
  const cpuRatios = rounds.flatMap(({ ours, bare }) =>
    ours.cpuMs === undefined || bare.cpuMs === undefined ? [] : [bare.cpuMs / ours.cpuMs],
  );
  const ratio = median(ratios);
  return {
    name,
    unit: '/s',
    ours: median(rounds.map(({ ours }) => ours.rate)),
    bare: median(rounds.map(({ bare }) => bare.rate)),
    ratio,
    rounds: ratios,
    ...(cpuRatios.length > 0 && { cpuRatio: median(cpuRatios) }),
    p50Ms: median(rounds.map(({ ours }) => ours.p50Ms)),
    p99Ms: median(rounds.map(({ ours }) => ours.p99Ms)),
    bar,
    isMet: bench.engine === 'postgres' || ratio >= bar,
  };
}

/** From how long each piece of work took, and how long all of them took together. */
export function toSample(timesMs: readonly number[], spanMs: number): Sample {
  return {
    count: timesMs.length,
    rate: (timesMs.length / spanMs) * 1000,
    p50Ms: median(timesMs),
    p99Ms: percentile(timesMs, 99),
  };
}

export function median(values: readonly number[]): number {
  return percentile(values, 50);
}

/** Interpolates between two values. */
export function percentile(values: readonly number[], percent: number): number {
  if (values.length === 0) throw new Error('nothing was measured');
  const sorted = Float64Array.from(values).sort();
  const position = ((sorted.length - 1) * percent) / 100;
  const [below = 0, above = 0] = [sorted[Math.floor(position)], sorted[Math.ceil(position)]];
  return below + (above - below) * (position - Math.floor(position));
}

/** Does the work again and again for so many seconds, in so many strands at once. */
export async function repeat(
  work: () => Promise<unknown> | undefined,
  { seconds, strands = 1, least = 1 }: { seconds: number; strands?: number; least?: number },
): Promise<Sample> {
  const times: number[] = [];
  const begin = performance.now();
  const strand = async (): Promise<void> => {
    for (let now = begin; now < begin + seconds * 1000 || times.length < least; ) {
      await work();
      const doneAt = performance.now();
      times.push(doneAt - now);
      now = doneAt;
    }
  };
  await Promise.all(Array.from({ length: strands }, strand));
  return toSample(times, performance.now() - begin);
}
