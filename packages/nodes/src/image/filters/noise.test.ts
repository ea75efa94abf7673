import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noiseImage, runNode } from '../../test/run-node.ts';
import type { Image } from '../../values/image.ts';
import { fillNormal } from './kernels/normal-noise.ts';
import { imageAddNoise } from './noise.ts';

const gray = noiseImage({ batch: 3, height: 10, width: 10 });
gray.data.fill(0.5);

async function noisy(seed: bigint, strength = 0.1): Promise<Image> {
  return (await runNode(imageAddNoise, { image: gray, seed, strength })).outputs[0] as Image;
}

test('the seed decides, and every picture of a batch has noise of its own', async () => {
  const { data } = await noisy(1n);
  assert.deepEqual((await noisy(1n)).data, data);
  assert.notDeepEqual((await noisy(2n)).data, data);
  assert.notDeepEqual(data.slice(0, 300), data.slice(300, 600));
});

test('without strength nothing changes, with much of it values stay from 0 to 1', async () => {
  assert.deepEqual((await noisy(1n, 0)).data, gray.data);
  assert.ok((await noisy(1n, 1)).data.every((value) => value >= 0 && value <= 1));
});

test('what is drawn is normal: mean 0, deviation 1', () => {
  const drawn = new Float32Array(100_001);
  fillNormal(drawn, 7n, () => {});
  const mean = drawn.reduce((sum, value) => sum + value, 0) / drawn.length;
  const square = drawn.reduce((sum, value) => sum + value * value, 0) / drawn.length;
  assert.ok(Math.abs(mean) < 0.01 && Math.abs(square - 1) < 0.01);
});

test('the noise of a seed of 64 bits is that of PyTorch', () => {
  // torch.manual_seed(seed); torch.randn(20)[:2]
  for (const [seed, first, second] of [
    [2n ** 53n + 1n, -1.5255959, -0.7502318],
    [2n ** 63n + 5n, 1.8423299, 0.5188872],
    [2n ** 64n - 1n, -2.6642976, -1.0910486],
  ] as const) {
    const drawn = new Float32Array(20);
    fillNormal(drawn, seed, () => {});
    assert.ok(
      Math.abs((drawn[0] ?? 0) - first) < 1e-5 && Math.abs((drawn[1] ?? 0) - second) < 1e-5,
      `${seed}`,
    );
  }
});

test('a seed counts by its lowest 32 bits', async () => {
  assert.deepEqual((await noisy(2n ** 32n + 5n)).data, (await noisy(5n)).data);
});
