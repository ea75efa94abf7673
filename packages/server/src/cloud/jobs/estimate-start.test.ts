import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { estimateStart } from './estimate-start.ts';

const NOW = 100_000;
const startOf = (position: number, runningSince: number[], recentMs: number[]) =>
  estimateStart({ position, runningSince, recentMs }, NOW)?.startInMs;

describe('the estimate of a start', () => {
  it('is not made when nothing runs, or nothing was completed before', () => {
    assert.equal(startOf(1, [], [500]), undefined);
    assert.equal(startOf(1, [NOW], []), undefined);
  });

  it('assumes that the running job takes the median time of recent ones', () => {
    assert.deepEqual(
      estimateStart({ position: 1, runningSince: [NOW - 300], recentMs: [9000, 1000, 10] }, NOW),
      {
        startInMs: 700,
        recentJobs: 3,
        medianMs: 1000,
        running: 1,
      },
    );
    assert.equal(startOf(3, [NOW - 300], [1000]), 2700);
  });

  it('takes every running job into account', () => {
    const running = [NOW - 100, NOW - 900];
    assert.deepEqual(
      [1, 2, 3, 4].map((position) => startOf(position, running, [1000])),
      [100, 900, 1100, 1900],
    );
  });

  it('assumes that a job that has run longer than usual is half done', () => {
    assert.equal(startOf(1, [NOW - 5000], [1000]), 5000);
    assert.equal(startOf(2, [NOW - 5000], [1000]), 6000);
  });
});
