import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { guidedByColor, guidedCoefficients, guidedFilter } from './guided-filter.ts';

const SIZE = { width: 40, height: 12 };

function plane(value: (x: number, y: number) => number): Float32Array {
  return Float32Array.from({ length: SIZE.width * SIZE.height }, (_, at) =>
    value(at % SIZE.width, Math.floor(at / SIZE.width)),
  );
}

const step = plane((x) => (x < 20 ? 0.2 : 0.8));
const checks = plane((x, y) => ((x + y) % 2 === 0 ? 0.03 : -0.03));
const noisy = step.map((value, at) => value + (checks[at] ?? 0));

describe('the guided filter', () => {
  it('smooths small differences and keeps edges', () => {
    const smooth = guidedFilter(noisy, noisy, SIZE, { radius: 4, epsilon: 0.01 });
    const row = 6 * SIZE.width;
    assert.ok(Math.abs((smooth[row + 10] ?? 0) - 0.2) < 0.01);
    assert.ok(Math.abs((smooth[row + 11] ?? 0) - (smooth[row + 10] ?? 0)) < 0.015);
    assert.ok((smooth[row + 21] ?? 0) - (smooth[row + 18] ?? 0) > 0.5);
  });

  it('gives coefficients with the same result at any pixel', () => {
    const { slope, offset } = guidedCoefficients(step, noisy, SIZE, { radius: 3, epsilon: 0.001 });
    const filtered = guidedFilter(step, noisy, SIZE, { radius: 3, epsilon: 0.001 });
    for (let at = 0; at < step.length; at++) {
      assert.ok(
        Math.abs((slope[at] ?? 0) * (step[at] ?? 0) + (offset[at] ?? 0) - (filtered[at] ?? 0)) < 1e-6,
      );
    }
  });

  it('follows an edge that is visible only in color', () => {
    // Equally bright on both sides: only red and blue change places.
    const red = plane((x) => (x < 20 ? 0.7 : 0.3));
    const blue = plane((x) => (x < 20 ? 0.3 : 0.7));
    const green = plane(() => 0.5);
    const mask = plane((x) => (x < 17 ? 1 : 0));
    const {
      red: r,
      green: g,
      blue: b,
      offset,
    } = guidedByColor([red, green, blue], mask, SIZE, { radius: 5, epsilon: 0.0005 });
    const value = (x: number): number => {
      const at = 6 * SIZE.width + x;
      return (
        (r[at] ?? 0) * (red[at] ?? 0) +
        (g[at] ?? 0) * (green[at] ?? 0) +
        (b[at] ?? 0) * (blue[at] ?? 0) +
        (offset[at] ?? 0)
      );
    };
    assert.ok(value(19) - value(20) > 0.3, 'the step of the mask moves to the edge of the picture');
    assert.ok(value(16) - value(18) < 0.2);
  });
});
