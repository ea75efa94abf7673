import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { blurWithin, boxMean } from './box-blur.ts';

function randomPlane(width: number, height: number): Float32Array {
  return Float32Array.from({ length: width * height }, (_, at) => ((at * 7919) % 251) + (at % 7));
}

function meanAround(plane: Float32Array, width: number, height: number, radius: number, at: number): number {
  let [sum, count] = [0, 0];
  const [column, row] = [at % width, Math.floor(at / width)];
  for (let y = Math.max(0, row - radius); y <= Math.min(height - 1, row + radius); y++) {
    for (let x = Math.max(0, column - radius); x <= Math.min(width - 1, column + radius); x++) {
      sum += plane[y * width + x] ?? 0;
      count++;
    }
  }
  return sum / count;
}

describe('box blur', () => {
  for (const [width, height, radius] of [
    [37, 23, 3],
    [64, 9, 20],
    [1, 1, 2],
    [1, 30, 4],
    [30, 1, 4],
    [5, 4, 1],
  ] as const) {
    it(`gives the mean of every square, at the edges too: ${width} by ${height}, radius ${radius}`, () => {
      const plane = randomPlane(width, height);
      const mean = boxMean(plane, { width, height }, radius);
      assert.equal(mean.length, plane.length);
      mean.forEach((value, at) => {
        assert.ok(Math.abs(value - meanAround(plane, width, height, radius, at)) < 1e-2, `at ${at}`);
      });
    });
  }

  it('lets nothing through from where the weights are 0', () => {
    const size = { width: 40, height: 20 };
    const plane = new Float32Array(800).map((_, at) => (at % 40 < 20 ? 100 : 250));
    const weights = plane.map((value) => (value === 100 ? 1 : 0));
    const [blurred] = blurWithin([plane], weights, size, 3);
    for (let at = 0; at < 800; at++) if (at % 40 < 20) assert.ok(Math.abs((blurred?.[at] ?? 0) - 100) < 0.5);
    assert.ok(Math.abs((blurred?.[39] ?? 0) - 250) < 0.5);
  });
});
