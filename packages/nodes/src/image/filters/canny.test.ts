import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noiseImage, runNode } from '../../test/run-node.ts';
import type { Image } from '../../values/image.ts';
import { cannyEdges } from './canny.ts';

async function edges(image: Image, low_threshold = 0.4, high_threshold = 0.8): Promise<Image> {
  return (await runNode(cannyEdges, { image, low_threshold, high_threshold })).outputs[0] as Image;
}

test('the result has three equal channels of 0 and 1, whatever the input has', async () => {
  for (const channels of [1, 3, 4]) {
    const result = await edges(noiseImage({ batch: 3, height: 9, width: 11, channels }), 0.1, 0.2);
    assert.deepEqual([result.batch, result.height, result.width, result.channels], [3, 9, 11, 3]);
    assert.ok(
      result.data.every(
        (value, index) => value === result.data[index - (index % 3)] && (value === 0 || value === 1),
      ),
    );
    assert.ok(result.data.includes(1));
  }
});

test('alpha has no say', async () => {
  const image = noiseImage({ height: 12, width: 12, channels: 4 });
  const opaque = { ...image, data: image.data.map((value, index) => (index % 4 === 3 ? 1 : value)) };
  assert.deepEqual((await edges(image)).data, (await edges(opaque)).data);
});

test('an even picture has no edges', async () => {
  const image = noiseImage({ height: 8, width: 8 });
  image.data.fill(0.7);
  assert.ok((await edges(image, 0.01, 0.01)).data.every((value) => value === 0));
});

test('thresholds the wrong way round and pictures too small are refused with a sentence', async () => {
  await assert.rejects(edges(noiseImage({ height: 5, width: 5 }), 0.9, 0.1), { exceptionType: 'ValueError' });
  await assert.rejects(edges(noiseImage({ height: 1, width: 1 })), { message: /at least 3 by 3 pixels/ });
});

test('NaN and infinity end in no edge there, not in a crash', async () => {
  const image = noiseImage({ height: 9, width: 9 });
  image.data.fill(Number.NaN, 0, 30);
  image.data.fill(Number.POSITIVE_INFINITY, 30, 60);
  assert.ok((await edges(image)).data.every((value) => value === 0 || value === 1));
});
