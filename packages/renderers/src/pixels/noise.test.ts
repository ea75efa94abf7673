import assert from 'node:assert/strict';
import { it } from 'node:test';
import { noiseRows } from './noise.ts';

it('noise has mean 0 and deviation 1, and is the same for the same seed', () => {
  for (const size of [0.4, 1, 2.5]) {
    const rows = [3, 3, 4].map((seed) => noiseRows(seed, size, 300));
    let [sum, squares, apart] = [0, 0, 0];
    for (let y = 0; y < 300; y++) {
      const [noise = [], again, other] = rows.map((rowOf) => rowOf(y));
      assert.deepEqual(again, noise);
      noise.forEach((value, x) => {
        sum += value;
        squares += value * value;
        apart += Math.abs(value - (other?.[x] ?? 0));
      });
    }
    assert.ok(Math.abs(sum / 90_000) < 0.1 && Math.abs(squares / 90_000 - 1) < 0.1);
    assert.ok(apart / 90_000 > 0.5);
  }
});
