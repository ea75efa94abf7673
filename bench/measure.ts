import { median } from './median.ts';
import type { Bench, RatioRow, Row, Sample, ValueRow } from './row.ts';

export interface Measured {
  readonly name: string;
  readonly kind: Row['kind'];
  readonly unit: ValueRow['unit'];
  readonly ours: number;
  readonly bare?: number;
  readonly ratio?: number;
  /** The ratio of every round, in order: how far they lie apart tells how quiet the machine was. */
  readonly rounds?: readonly number[];
  /** The bare server's computing time a request, in relation to ours. */
  readonly cpuRatio?: number;
  readonly p50Ms?: number;
  readonly p99Ms?: number;
  readonly bar?: number;
  readonly isMet: boolean;
}

interface Round {
  readonly ours: Sample;
  readonly bare: Sample;
}

const WARM_UP_SECONDS = 1;

export async function measure(row: Row, bench: Bench, rounds: number): Promise<Measured> {
  if (row.kind === 'ratio') return await compare(row, bench, rounds);
  const { name, kind, unit, bar } = row;
  const ours = await row.measure(bench);
  const isMet = bar === undefined || (unit === '/s' ? ours >= bar : ours <= bar);
  return { name, kind, unit, ours, ...(bar === undefined ? {} : { bar }), isMet };
}

/**
 * The two sides take turns, because other work on the machine comes and goes: a round's two measurements are
 * a few seconds apart, and the median of the rounds' ratios forgets the one that was disturbed.
 */
async function compare(row: RatioRow, bench: Bench, rounds: number): Promise<Measured> {
  const { name, kind } = row;
  const bar = bench.engine === 'sqlite' ? row.bar : undefined;
  const sides = await row.prepare(bench);
  for (const load of [sides.bare, sides.ours]) await load(Math.min(WARM_UP_SECONDS, bench.seconds));

  const measured: Round[] = [];
  while (measured.length < rounds) {
    const bare = await sides.bare(bench.seconds);
    measured.push({ bare, ours: await sides.ours(bench.seconds) });
  }
  const ratios = measured.map(({ ours, bare }) => ours.rate / bare.rate);
  const cpuRatios = measured.flatMap(cpuRatio);
  const ratio = median(ratios);
  return {
    name,
    kind,
    unit: '/s',
    ours: median(measured.map(({ ours }) => ours.rate)),
    bare: median(measured.map(({ bare }) => bare.rate)),
    ratio,
    rounds: ratios,
    ...(cpuRatios.length > 0 ? { cpuRatio: median(cpuRatios) } : {}),
    p50Ms: median(measured.map(({ ours }) => ours.p50Ms)),
    p99Ms: median(measured.map(({ ours }) => ours.p99Ms)),
    ...(bar === undefined ? {} : { bar }),
    isMet: ratio >= (bar ?? 0),
  };
}

function cpuRatio({ ours, bare }: Round): number[] {
  return ours.cpuMs === undefined || bare.cpuMs === undefined ? [] : [bare.cpuMs / ours.cpuMs];
}
