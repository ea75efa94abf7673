import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { mt19937, randomBelow, randomPermutation } from './mt19937.ts';

interface Draw {
  readonly seed: number;
  readonly words: readonly number[];
  readonly below: readonly number[];
  readonly order: readonly number[];
  readonly torch: readonly number[];
}

const { draws } = JSON.parse(
  readFileSync(new URL('../../test/fixtures/geometry.json', import.meta.url), 'utf8'),
) as { readonly draws: readonly Draw[] };

test('words are those of NumPy and, in their low bits, of PyTorch', () => {
  for (const { seed, words, torch } of draws) {
    const generator = mt19937(BigInt(seed));
    const made = Array.from({ length: 1300 }, () => generator.nextUint32());
    assert.deepEqual(
      [0, 1, 623, 624, 625, 1299].map((index) => made[index]),
      words,
    );
    assert.deepEqual(
      made.slice(0, torch.length).map((word) => word % 2 ** 16),
      torch,
    );
  }
});

test('numbers below a count and permutations are those of NumPy', () => {
  for (const { seed, below, order } of draws) {
    const generator = mt19937(BigInt(seed));
    const counts = [1, 2, 3, 100, 257, 4096, 2 ** 31 + 1, 7];
    assert.deepEqual(
      counts.map((count) => randomBelow(generator, count)),
      below,
    );
    assert.deepEqual([...randomPermutation(mt19937(BigInt(seed)), order.length)], order);
  }
});

test('only the low 32 bits of a seed count', () => {
  assert.equal(mt19937(2n ** 63n + 5n).nextUint32(), mt19937(5n).nextUint32());
});
