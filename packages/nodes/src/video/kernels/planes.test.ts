import assert from 'node:assert/strict';
import { test } from 'node:test';
import { interleaveFloats, packPicture, spreadBytes, type Turns } from './planes.ts';

const size = { width: 3, height: 2 };

/** Rows of a picture whose red is its number, in rows of `width`. */
function reds(data: Float32Array, width: number): number[][] {
  const all = Array.from({ length: data.length / 3 }, (_, pixel) => data[pixel * 3] ?? -1);
  return Array.from({ length: all.length / width }, (_, row) => all.slice(row * width, (row + 1) * width));
}

const turned: Readonly<Record<Turns, number[][]>> = {
  0: [
    [1, 2, 3],
    [4, 5, 6],
  ],
  1: [
    [3, 6],
    [2, 5],
    [1, 4],
  ],
  2: [
    [6, 5, 4],
    [3, 2, 1],
  ],
  3: [
    [4, 1],
    [5, 2],
    [6, 3],
  ],
};

for (const turns of [0, 1, 2, 3] as const) {
  test(`${turns} quarter turns against the clock, also with gaps between the rows`, () => {
    const red = Float32Array.of(1, 2, 3, 99, 4, 5, 6, 99);
    const planes = { red, green: red.map((value) => value * 10), blue: red.map((value) => value * 100) };
    const floats = new Float32Array(18);
    interleaveFloats(planes, 4, floats, { size, turns });
    const width = turns % 2 === 1 ? 2 : 3;
    assert.deepEqual(reds(floats, width), turned[turns]);
    for (let at = 0; at < 18; at += 3) {
      assert.deepEqual([floats[at + 1], floats[at + 2]], [(floats[at] ?? 0) * 10, (floats[at] ?? 0) * 100]);
    }
    const bytes = Uint8Array.from([1, 0, 0, 2, 0, 0, 3, 0, 0, 99, 4, 0, 0, 5, 0, 0, 6, 0, 255, 99]);
    spreadBytes({ data: bytes, stride: 10 }, floats, { size, turns });
    assert.deepEqual(
      reds(floats, width).map((row) => row.map((value) => Math.round(value * 255))),
      turned[turns],
    );
    assert.equal(floats.filter((value) => value === 1).length, 1);
  });
}

test('values are cut off, held within bounds, and 0 where they are not a number', () => {
  const values = [0.5, 1, 0, 2, -1, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0.9999];
  const source = Float32Array.from(values);
  const options = { width: 3, height: 1, channels: 3, wanted: 3 } as const;
  const bytes = new Uint8Array(9);
  packPicture(source, { data: bytes, stride: 9 }, { ...options, scale: 255 });
  assert.deepEqual([...bytes], [127, 255, 0, 255, 0, 0, 255, 0, 254]);
  const words = new Uint16Array(9);
  packPicture(source, { data: words, stride: 9 }, { ...options, scale: 65535 });
  assert.deepEqual([...words], [32767, 65535, 0, 65535, 0, 0, 65535, 0, 65528]);
});

test('alpha is left out, kept or made opaque, and gray becomes three colors', () => {
  const pack = (values: readonly number[], channels: number, wanted: 3 | 4): number[] => {
    const data = new Uint8Array(wanted);
    const options = { width: 1, height: 1, channels, wanted, scale: 255 } as const;
    packPicture(Float32Array.from(values), { data, stride: wanted }, options);
    return [...data];
  };
  assert.deepEqual(pack([1, 0.5, 0, 0.25], 4, 3), [255, 127, 0]);
  assert.deepEqual(pack([1, 0.5, 0, 0.25], 4, 4), [255, 127, 0, 63]);
  assert.deepEqual(pack([1, 0.5, 0], 3, 4), [255, 127, 0, 255]);
  assert.deepEqual(pack([0.5], 1, 3), [127, 127, 127]);
  assert.deepEqual(pack([0.5], 1, 4), [127, 127, 127, 255]);
});
