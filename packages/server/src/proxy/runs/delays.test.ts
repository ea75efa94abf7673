import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { pollDelayMs, retryDelayMs } from './delays.ts';

const middle = { wished: undefined, random: 0.5 };

describe('delays', () => {
  it('between polls start with what the vendor asks for and grow to half a minute', () => {
    const polls = [0, 1, 2, 10, 1000].map((each) => pollDelayMs({ ...middle, polls: each }));
    assert.deepEqual(polls, [2000, 3000, 4500, 30_000, 30_000]);
    assert.equal(pollDelayMs({ polls: 0, wished: 5000, random: 0.5 }), 5000);
    assert.equal(pollDelayMs({ polls: 9, wished: 60_000, random: 0.5 }), 60_000);
  });

  it('after trouble double up to a minute, and are never shorter than what the vendor asks for', () => {
    const pauses = [0, 1, 2, 10].map((failures) => retryDelayMs({ ...middle, failures }));
    assert.deepEqual(pauses, [1000, 2000, 4000, 60_000]);
    assert.equal(retryDelayMs({ failures: 0, wished: 9000, random: 0.5 }), 9000);
    assert.equal(retryDelayMs({ failures: 0, wished: 1e12, random: 0.5 }), 600_000);
  });

  it('vary by a tenth, so that tasks that began together drift apart', () => {
    assert.equal(retryDelayMs({ ...middle, failures: 0, random: 0 }), 900);
    assert.equal(pollDelayMs({ ...middle, polls: 0, random: 1 }), 2200);
  });
});
