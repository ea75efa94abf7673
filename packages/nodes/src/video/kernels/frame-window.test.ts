import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileRate, framesWithin } from './frame-window.ts';

test('rates are kept to a thousandth, in lowest terms', () => {
  assert.deepEqual(fileRate(24), { num: 24, den: 1 });
  assert.deepEqual(fileRate(29.97), { num: 2997, den: 100 });
  assert.deepEqual(fileRate(23.976023976), { num: 2997, den: 125 });
  assert.deepEqual(fileRate(0.0001), { num: 1, den: 1000 });
});

test('without a part all frames are there', () => {
  assert.deepEqual(framesWithin({ count: 9, fps: 24 }, null), { first: 0, count: 9 });
});

test('a part of whole frames has exactly these frames, whatever the rate', () => {
  for (const fps of [1, 7.5, 12, 23.976, 24, 25, 29.97, 30, 59.94, 60, 119.88]) {
    for (let first = 0; first < 40; first += 1) {
      for (const length of [1, 2, 3, 7, 16]) {
        const window = { start: first / fps, duration: length / fps };
        assert.deepEqual(
          framesWithin({ count: 200, fps }, window),
          { first, count: length },
          `${fps} ${first} ${length}`,
        );
      }
    }
  }
});

test('a part beyond the end is cut, and one without an end goes to the end', () => {
  assert.deepEqual(framesWithin({ count: 10, fps: 10 }, { start: 0.8, duration: 5 }), { first: 8, count: 2 });
  assert.deepEqual(framesWithin({ count: 10, fps: 10 }, { start: 0.25, duration: 0 }), {
    first: 3,
    count: 7,
  });
  assert.deepEqual(framesWithin({ count: 10, fps: 10 }, { start: 3, duration: 1 }), { first: 10, count: 0 });
});
