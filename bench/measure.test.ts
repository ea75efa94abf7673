import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { measure } from './measure.ts';
import { median, percentile } from './median.ts';
import type { Bench, Load, RatioRow, ValueRow } from './row.ts';
import { toSample } from './sample.ts';
import { renderTable } from './table.ts';

/** A load that has these rates, one after the other, after the warm-up. */
function ratesOf(...rates: number[]): Load {
  const queue = [0, ...rates];
  return async () => ({ count: 1, rate: queue.shift() ?? 0, p50Ms: 1, p99Ms: 2 });
}

function ratioRow(ours: Load, bare: Load, bar?: number): RatioRow {
  return {
    kind: 'ratio',
    name: 'example',
    ...(bar === undefined ? {} : { bar }),
    prepare: async () => ({ ours, bare }),
  };
}

const on = (engine: 'sqlite' | 'postgres') => ({ engine, seconds: 1 }) as Bench;

describe('measuring a row', () => {
  it('takes the median of the ratios, so that one disturbed round changes nothing', async () => {
    const row = ratioRow(ratesOf(50, 500, 60), ratesOf(100, 100, 100));
    const { ratio, rounds } = await measure(row, on('sqlite'), 3);
    assert.equal(ratio, 0.6);
    assert.deepEqual(rounds, [0.5, 5, 0.6]);
  });

  it('compares the two measurements of one round, not the medians of each side', async () => {
    // The machine is twice as fast in the second round, and only half of the third.
    const row = ratioRow(ratesOf(40, 80, 80), ratesOf(100, 200, 100));
    assert.equal((await measure(row, on('sqlite'), 3)).ratio, 0.4);
  });

  it('misses a bar that the ratio does not reach, and meets one that it just reaches', async () => {
    const measured = async (bar: number) =>
      await measure(ratioRow(ratesOf(40), ratesOf(100), bar), on('sqlite'), 1);
    assert.equal((await measured(0.41)).isMet, false);
    assert.equal((await measured(0.4)).isMet, true);
  });

  it('asks no ratio of PostgreSQL', async () => {
    const result = await measure(ratioRow(ratesOf(1), ratesOf(100), 0.4), on('postgres'), 1);
    assert.equal(result.isMet, true);
    assert.equal(result.bar, undefined);
  });

  it('misses the bar of a value that is larger', async () => {
    const row = (value: number): ValueRow => ({
      kind: 'value',
      name: 'memory',
      unit: 'MB',
      bar: 200,
      measure: async () => value,
    });
    assert.equal((await measure(row(200), on('sqlite'), 1)).isMet, true);
    assert.equal((await measure(row(201), on('postgres'), 1)).isMet, false);
  });

  it('relates computing time a request the same way round as rates', async () => {
    const sampled =
      (cpuMs: number): Load =>
      async () => ({ count: 1, rate: 1, p50Ms: 1, p99Ms: 1, cpuMs });
    const { cpuRatio } = await measure(ratioRow(sampled(0.08), sampled(0.02)), on('sqlite'), 1);
    assert.equal(cpuRatio, 0.25);
  });
});

describe('summing up', () => {
  it('interpolates percentiles and refuses to sum up nothing', () => {
    assert.equal(median([3, 1, 2]), 2);
    assert.equal(median([4, 1, 2, 3]), 2.5);
    assert.equal(percentile([0, 100], 99), 99);
    assert.throws(() => median([]), /nothing was measured/);
  });

  it('makes a rate of a count and the time it took', () => {
    assert.deepEqual(toSample([3, 1, 2], 1500), { count: 3, rate: 2, p50Ms: 2, p99Ms: 2.98 });
  });

  it('shows a missed bar in a Markdown table', async () => {
    const missed = await measure(ratioRow(ratesOf(12_345.6), ratesOf(100_000), 0.4), on('sqlite'), 1);
    const [, , line] = renderTable([missed]).split('\n');
    assert.equal(
      line,
      '| example | 12 346/s | 100 000/s |  12 % |     | 1.00 ms | 2.00 ms | ≥ 40 % |  MISSED |',
    );
  });
});
