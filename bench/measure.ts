import type { Bench, RatioRow, Row, Sample, ValueRow } from './row.ts';

const WARM_UP_SECONDS = 1;
/** Of work that may take longer than a round. */
const LEAST = 3;

export type Measured = Awaited<ReturnType<typeof measureValue>> &
  Partial<Awaited<ReturnType<typeof measureRatio>>>;

export async function measure(row: Row, bench: Bench, rounds: number): Promise<Measured> {
  return 'bare' in row ? await measureRatio(row, bench, rounds) : await measureValue(row, bench);
}

async function measureValue({ name, unit, bar, ...row }: ValueRow, bench: Bench) {
  const ours = await row.measure(bench);
  return { name, unit, bar, ours, isMet: unit === '/s' ? ours >= bar : ours <= bar };
}

/**
 * The two sides take turns, because other work on the machine comes and goes: a round's two measurements are
 * a few seconds apart, and the median of the rounds' ratios forgets the one that was disturbed.
 */
async function measureRatio({ name, bar, ...row }: RatioRow, bench: Bench, count: number) {
  const sides = { ours: await row.ours(bench), bare: await row.bare(bench) };
  for (const load of [sides.bare, sides.ours]) await load(Math.min(WARM_UP_SECONDS, bench.seconds));
  const samples: { readonly ours: Sample; readonly bare: Sample }[] = [];
  while (samples.length < count) {
    const bare = await sides.bare(bench.seconds);
    samples.push({ bare, ours: await sides.ours(bench.seconds) });
  }
  /** How far they lie apart tells how quiet the machine was. */
  const rounds = samples.map(({ ours, bare }) => ours.rate / bare.rate);
  const ratio = median(rounds);
  return {
    name,
    unit: '/s' as ValueRow['unit'],
    bar,
    ours: median(samples.map(({ ours }) => ours.rate)),
    bare: median(samples.map(({ bare }) => bare.rate)),
    ratio,
    rounds,
    cpuRatio: median(samples.map(({ ours, bare }) => bare.cpuMs / ours.cpuMs)),
    p50Ms: median(samples.map(({ ours }) => ours.p50Ms)),
    p99Ms: median(samples.map(({ ours }) => ours.p99Ms)),
    isMet: bench.engine === 'postgres' || ratio >= bar,
  };
}

/** From how long each piece of work took, and how long all of them took together. */
export function toSample(timesMs: readonly number[], spanMs: number): Sample {
  const { length: count } = timesMs;
  const rate = (count / spanMs) * 1000;
  return { count, rate, p50Ms: median(timesMs), p99Ms: percentile(timesMs, 99), cpuMs: Number.NaN };
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

/** Does the work again and again for so many seconds. The first runs load and compile, and do not count. */
export async function repeat(work: () => Promise<unknown>, seconds: number): Promise<Sample> {
  for (let n = 0; n < LEAST; n += 1) await work();
  const times: number[] = [];
  const usage = process.cpuUsage();
  const begin = performance.now();
  for (let now = begin; now < begin + seconds * 1000 || times.length < LEAST; ) {
    await work();
    const doneAt = performance.now();
    times.push(doneAt - now);
    now = doneAt;
  }
  const { user, system } = process.cpuUsage(usage);
  return { ...toSample(times, performance.now() - begin), cpuMs: (user + system) / 1000 / times.length };
}
