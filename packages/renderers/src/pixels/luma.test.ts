import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { downscaleRgb } from './downscale.ts';
import { lumaOf, meanDifference } from './luma.ts';
import { triangleBlur } from './triangle-blur.ts';

function randomBytes(length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, at) => (at * 7919 + (at >> 3)) % 256);
}

describe('luma', () => {
  it('is the weighted sum of the samples, to a sixteenth of their steps', () => {
    const size = { width: 37, height: 5 };
    const rgb = randomBytes(37 * 5 * 3);
    lumaOf(rgb, size).forEach((value, at) => {
      const [red = 0, green = 0, blue = 0] = rgb.subarray(at * 3);
      assert.equal(value, (77 * red + 150 * green + 29 * blue) >> 4);
    });
  });

  it('differs from itself nowhere, and from a shifted plane by the shift', () => {
    const size = { width: 19, height: 11 };
    const one = Int16Array.from({ length: 209 }, (_, at) => at * 3);
    const other = one.map((value) => value + 32);
    assert.ok(meanDifference(one, one, size, 4).every((value) => value === 0));
    assert.ok(meanDifference(one, other, size, 4).every((value) => Math.abs(value - 2) < 1e-4));
  });
});

describe('downscaling', () => {
  it('takes the mean of each square, and of what there is of it at the edges', () => {
    const [width, height, factor] = [21, 10, 4];
    const rgb = randomBytes(width * height * 3);
    const small = downscaleRgb(rgb, { width, height }, factor);
    assert.deepEqual([small.width, small.height], [6, 3]);
    for (let row = 0; row < 3; row++) {
      for (let column = 0; column < 6; column++) {
        let [sum, count] = [0, 0];
        for (let y = row * factor; y < Math.min(height, (row + 1) * factor); y++) {
          for (let x = column * factor; x < Math.min(width, (column + 1) * factor); x++, count++) {
            sum += rgb[(y * width + x) * 3 + 1] ?? 0;
          }
        }
        assert.ok(Math.abs((small.green[row * 6 + column] ?? 0) - sum / count) < 1e-3);
      }
    }
  });
});

describe('triangle blur', () => {
  for (const radius of [1, 2, 4]) {
    it(`is two box means each way with the edges repeated, radius ${radius}`, () => {
      const [width, height] = [29, 17];
      const plane = Int16Array.from({ length: width * height }, (_, at) => (at * 7919) % 4081);
      const weights = Array.from(
        { length: 4 * radius + 1 },
        (_, step) => 2 * radius + 1 - Math.abs(step - 2 * radius),
      );
      const total = (2 * radius + 1) ** 4;
      const blurred = triangleBlur(plane, { width, height }, radius);
      blurred.forEach((value, at) => {
        let sum = 0;
        weights.forEach((down, row) => {
          const y = Math.min(height - 1, Math.max(0, Math.floor(at / width) + row - 2 * radius));
          weights.forEach((across, column) => {
            const x = Math.min(width - 1, Math.max(0, (at % width) + column - 2 * radius));
            sum += down * across * (plane[y * width + x] ?? 0);
          });
        });
        assert.ok(Math.abs(value - sum / total) <= 0.51, `at ${at}: ${value}, not ${sum / total}`);
      });
    });
  }
});
