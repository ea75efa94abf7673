import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { createStallDetector } from './stall-detector.ts';

describe('a process that stalled', () => {
  it('is detected once, by the first check, after a stall that is longer than allowed', () => {
    let now = 0;
    let times = 0;
    const stalls = createStallDetector({ clock: () => now, stallMs: 10, onResume: () => void (times += 1) });
    const hasResumedAt = (time: number) => {
      now = time;
      return stalls.hasResumed();
    };
    assert.deepEqual([5, 15, 26, 27, 20, 25, 60, 61].map(hasResumedAt), [
      false,
      false,
      true,
      false,
      false,
      false,
      true,
      false,
    ]);
    assert.equal(times, 2);
  });
});
