import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { blurWithin, boxMean, enlarger, quantile, smoothstep, softBlur } from './planes.ts';

const SIZE = { width: 17, height: 11 };
const PLANE = Float32Array.from({ length: 17 * 11 }, (_, at) => (at * 37) % 101);

describe('planes', () => {
  it('have box means of the values around each value, cut off at the edges', () => {
    for (const radius of [1, 3, 20]) {
      const means = boxMean(PLANE, SIZE, radius);
      for (const [x, y] of [
        [0, 0],
        [16, 10],
        [8, 5],
      ] as const) {
        let [sum, count] = [0, 0];
        for (let row = Math.max(0, y - radius); row <= Math.min(10, y + radius); row++) {
          for (let column = Math.max(0, x - radius); column <= Math.min(16, x + radius); column++) {
            sum += PLANE[row * 17 + column] ?? 0;
            count++;
          }
        }
        assert.ok(Math.abs((means[y * 17 + x] ?? 0) - sum / count) < 1e-3);
      }
    }
  });

  it('stay uniform under a blur, and ignore places with a weight of 0', () => {
    const even = new Float32Array(17 * 11).fill(7);
    assert.ok(softBlur(even, SIZE, 3).every((value) => Math.abs(value - 7) < 1e-4));
    const halves = even.map((_, at) => (at % 17 < 8 ? 10 : 200));
    const left = halves.map((value) => (value === 10 ? 1 : 0));
    const [within] = blurWithin([halves], left, SIZE, 3);
    assert.ok(within !== undefined && Math.abs((within[5 * 17 + 7] ?? 0) - 10) < 0.1);
  });

  it('are enlarged without steps', () => {
    const ramp = Float32Array.from({ length: 4 * 3 }, (_, at) => at % 4);
    const rowOf = enlarger([ramp], { width: 4, height: 3 }, { width: 40, height: 30 });
    for (const y of [0, 15, 29]) {
      const [row = new Float32Array()] = rowOf(y);
      assert.equal(row[0], 0);
      assert.equal(row[39], 3);
      for (let x = 1; x < 40; x++) assert.ok((row[x] ?? 0) - (row[x - 1] ?? 0) < 0.11);
    }
  });

  it('have quantiles', () => {
    const plane = Float32Array.from({ length: 1000 }, (_, at) => 999 - at);
    assert.ok(Math.abs(quantile(plane, 0.25) - 250) < 5);
    assert.equal(smoothstep(2, 1, 3), 0);
    assert.equal(smoothstep(1, 2, 3), 1);
  });
});
