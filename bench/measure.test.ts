import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { measure, median, percentile, toSample } from './measure.ts';
import { renderTable } from './render-table.ts';
import { type Bench, type Load, type RatioRow, type ValueRow, valueRow } from './row.ts';

const SAMPLE = { count: 1, rate: 1, p50Ms: 1, p99Ms: 2, cpuMs: Number.NaN };

/** A load that has these rates, one after the other, after the warm-up. */
function ratesOf(...rates: number[]): Load {
  const queue = [0, ...rates];
  return async () => ({ ...SAMPLE, rate: queue.shift() ?? 0 });
}

function ratioRow(ours: Load, bare: Load, bar = 0): RatioRow {
  return { name: 'example', bar, ours: async () => ours, bare: async () => bare };
}

const on = (engine: 'sqlite' | 'postgres') => ({ engine, seconds: 1 }) as Bench;

describe('measuring a row', () => {
  it('takes the median of the ratios, so that one disturbed round changes nothing', async () => {
    const row = ratioRow(ratesOf(50, 500, 60), ratesOf(100, 100, 100));
    const { ratio, rounds } = await measure(row, on('sqlite'), 3);
    assert.deepEqual({ ratio, rounds }, { ratio: 0.6, rounds: [0.5, 5, 0.6] });
  });

  it('compares the two measurements of one round, not the medians of each side', async () => {
    // The machine is twice as fast in the second round, and only half of the third.
    const row = ratioRow(ratesOf(40, 80, 80), ratesOf(100, 200, 100));
    assert.equal((await measure(row, on('sqlite'), 3)).ratio, 0.4);
  });

  it('misses a bar that the ratio does not reach, except on PostgreSQL', async () => {
    const isMet = async (bar: number, engine: 'sqlite' | 'postgres') =>
      (await measure(ratioRow(ratesOf(40), ratesOf(100), bar), on(engine), 1)).isMet;
    assert.deepEqual([await isMet(0.4, 'sqlite'), await isMet(0.41, 'sqlite')], [true, false]);
    assert.equal(await isMet(0.41, 'postgres'), true);
  });

  it('misses the bar of a value that is larger, and of a rate that is smaller', async () => {
    const isMet = async (unit: ValueRow['unit'], value: number) =>
      (
        await measure(
          valueRow('value', unit, 200, async () => value),
          on('sqlite'),
          1,
        )
      ).isMet;
    assert.deepEqual([await isMet('MB', 200), await isMet('MB', 201)], [true, false]);
    assert.deepEqual([await isMet('/s', 200), await isMet('/s', 199)], [true, false]);
  });

  it('relates computing time a request the same way round as rates', async () => {
    const ours = async () => ({ ...SAMPLE, cpuMs: 0.08 });
    const bare = async () => ({ ...SAMPLE, cpuMs: 0.02 });
    assert.equal((await measure(ratioRow(ours, bare), on('sqlite'), 1)).cpuRatio, 0.25);
  });
});

describe('a summary', () => {
  it('interpolates percentiles and refuses to sum up nothing', () => {
    assert.equal(median([3, 1, 2]), 2);
    assert.equal(median([4, 1, 2, 3]), 2.5);
    assert.equal(percentile([0, 100], 99), 99);
    assert.throws(() => median([]), /nothing was measured/);
    assert.deepEqual(toSample([3, 1, 2], 1500), { ...SAMPLE, count: 3, rate: 2, p50Ms: 2, p99Ms: 2.98 });
  });

  it('shows a missed bar in a Markdown table', async () => {
    const missed = await measure(ratioRow(ratesOf(12_345.6), ratesOf(100_000), 0.4), on('sqlite'), 1);
    const [, , line] = renderTable([missed]).split('\n');
    assert.equal(line, '| example | 12 346/s | 100 000/s | 12 % |  | 1.00 ms | 2.00 ms | ≥ 40 % | MISSED |');
  });
});
