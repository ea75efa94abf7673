import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { layOutRows, neighborOf, rowOf } from './justified-rows.ts';

const layOut = (aspects: readonly number[], days: readonly (number | undefined)[] = []) =>
  layOutRows(aspects.length, {
    width: 1000,
    targetHeight: 200,
    gap: 2,
    headingHeight: 40,
    aspectOf: (index) => aspects[index] ?? 1,
    dayOf: (index) => days[index],
  });

describe('justified rows', () => {
  it('fill the width to the pixel, whatever the pictures are', () => {
    const rows = layOut(Array.from({ length: 200 }, (_, index) => 0.4 + (index % 7) * 0.3));
    for (const row of rows.slice(0, -1)) {
      assert.equal(row.kind, 'tiles');
      const gaps = 2 * (row.widths.length - 1);
      assert.equal(
        row.widths.reduce((sum, width) => sum + width, gaps),
        1000,
      );
      assert.ok(row.height <= 200);
    }
  });

  it('begin anew with each day, and show no picture twice', () => {
    const rows = layOut([1, 1, 1, 1], [1, 1, undefined, 2]);
    assert.deepEqual(
      rows.map((row) => (row.kind === 'heading' ? `day ${row.day}` : [row.first, row.widths.length])),
      ['day 1', [0, 3], 'day 2', [3, 1]],
    );
    assert.equal(rows.at(-1)?.top, 40 + 202 + 40);
  });

  it('are found by a picture, and lead up and down', () => {
    const rows = layOut(
      Array.from({ length: 12 }, () => 1),
      Array.from({ length: 12 }, (_, index) => (index < 7 ? 1 : 2)),
    );
    // A heading, 5 and 2; a heading and 5.
    assert.deepEqual(
      [0, 4, 5, 6, 7, 11].map((index) => rowOf(rows, index)),
      [1, 1, 2, 2, 4, 4],
    );
    assert.equal(neighborOf(rows, 1, 1), 6);
    assert.equal(neighborOf(rows, 4, 1), 6);
    assert.equal(neighborOf(rows, 6, 1), 8);
    assert.equal(neighborOf(rows, 8, -1), 6);
    assert.equal(neighborOf(rows, 0, -1), 0);
    assert.equal(neighborOf(rows, 11, 1), 11);
  });
});
