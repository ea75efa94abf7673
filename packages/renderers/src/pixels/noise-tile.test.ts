import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fillRow, noiseField } from './noise-tile.ts';

function rowsOf(seed: number, spectrum: 'soft' | 'pitted'): Float32Array {
  const field = noiseField(seed, 0.9, spectrum, 100);
  const values = new Float32Array(300 * 40);
  for (let y = 0; y < 40; y++) fillRow(field, y, values.subarray(y * 300, (y + 1) * 300));
  return values;
}

describe('noise field', () => {
  for (const spectrum of ['soft', 'pitted'] as const) {
    it(`has the mean 0 and the deviation 1: ${spectrum}`, () => {
      const values = rowsOf(5, spectrum);
      const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
      const square = values.reduce((sum, value) => sum + value * value, 0) / values.length;
      assert.ok(Math.abs(mean) < 0.06, `mean ${mean}`);
      assert.ok(Math.abs(square - 1) < 0.12, `variance ${square}`);
    });
  }

  it('is the same for the same seed only', () => {
    assert.deepEqual(rowsOf(5, 'soft'), rowsOf(5, 'soft'));
    assert.notDeepEqual(rowsOf(5, 'soft'), rowsOf(6, 'soft'));
  });

  it('has finer grains the smaller their size', () => {
    const likeNext = (size: number): number => {
      const row = new Float32Array(4000);
      fillRow(noiseField(1, size, 'soft', 100), 3, row);
      let sum = 0;
      for (let x = 1; x < row.length; x++) sum += (row[x] ?? 0) * (row[x - 1] ?? 0);
      return sum / row.length;
    };
    assert.ok(likeNext(0.45) < 0.5 && likeNext(1.5) > 0.7);
  });
});
