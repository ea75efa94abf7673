import assert from 'node:assert/strict';
import { it } from 'node:test';

import { timelineScale } from './timeline-scale.ts';

it('has the waiting and the nodes on one axis', () => {
  const { waitingPercent, isBroken, percentAt } = timelineScale(100, 900);
  assert.equal(waitingPercent, 10);
  assert.equal(isBroken, false);
  assert.deepEqual([percentAt(0), percentAt(450), percentAt(900), percentAt(2000)], [10, 55, 100, 100]);
});

it('breaks the axis where a job has waited for long', () => {
  const { waitingPercent, isBroken, percentAt } = timelineScale(60_000, 1000);
  assert.equal(waitingPercent, 20);
  assert.equal(isBroken, true);
  assert.equal(percentAt(500), 60);
});

it('has few ticks, at round moments', () => {
  assert.deepEqual(timelineScale(0, 1000).ticks, [0, 200, 400, 600, 800, 1000]);
  assert.deepEqual(timelineScale(0, 4600).ticks, [0, 1000, 2000, 3000, 4000]);
  assert.deepEqual(timelineScale(0, 0).ticks, [0, 1]);
  for (const ms of [3, 17, 99, 12_345, 3_600_000]) assert.ok(timelineScale(0, ms).ticks.length <= 7);
});
