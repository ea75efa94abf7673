import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { createAwayWatch } from './away-watch.ts';

describe('a process that stood still', () => {
  it('is noticed once, by whoever asks first, when it was away for longer than it may be', () => {
    let now = 0;
    let times = 0;
    const watch = createAwayWatch({ clock: () => now, awayMs: 10, onBack: () => void (times += 1) });
    const isBackAt = (time: number) => {
      now = time;
      return watch.isBack();
    };
    assert.deepEqual([5, 15, 26, 27, 20, 25, 60, 61].map(isBackAt), [
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
