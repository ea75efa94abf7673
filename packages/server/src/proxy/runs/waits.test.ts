import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { nextLookMs, troubleMs } from './waits.ts';

const middle = { wished: undefined, random: 0.5 };

describe('pauses', () => {
  it('between looks begin at the wish of the vendor and grow to half a minute', () => {
    const looks = [0, 1, 2, 10, 1000].map((each) => nextLookMs({ ...middle, looks: each }));
    assert.deepEqual(looks, [2000, 3000, 4500, 30_000, 30_000]);
    assert.equal(nextLookMs({ looks: 0, wished: 5000, random: 0.5 }), 5000);
    assert.equal(nextLookMs({ looks: 9, wished: 60_000, random: 0.5 }), 60_000);
  });

  it('after trouble double up to a minute, and are never shorter than the vendor asked for', () => {
    const pauses = [0, 1, 2, 10].map((troubles) => troubleMs({ ...middle, troubles }));
    assert.deepEqual(pauses, [1000, 2000, 4000, 60_000]);
    assert.equal(troubleMs({ troubles: 0, wished: 9000, random: 0.5 }), 9000);
    assert.equal(troubleMs({ troubles: 0, wished: 1e12, random: 0.5 }), 600_000);
  });

  it('differ by a tenth, so that tasks that began together part', () => {
    assert.equal(troubleMs({ ...middle, troubles: 0, random: 0 }), 900);
    assert.equal(nextLookMs({ ...middle, looks: 0, random: 1 }), 2200);
  });
});
