import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeContext, noiseImage, runNode } from '../../test/run-node.ts';
import type { Image } from '../../values/image.ts';
import { morphology } from './morphology.ts';

async function operated(image: Image, operation: string, kernel_size: number): Promise<Image> {
  return (await runNode(morphology, { image, operation, kernel_size })).outputs[0] as Image;
}

/** The greatest value of a window, looked up one by one. */
function greatestAt(image: Image, x: number, y: number, channel: number, size: number): number {
  let greatest = Number.NEGATIVE_INFINITY;
  for (let row = y - (size >> 1); row < y - (size >> 1) + size; row++) {
    for (let column = x - (size >> 1); column < x - (size >> 1) + size; column++) {
      if (row < 0 || column < 0 || row >= image.height || column >= image.width) continue;
      greatest = Math.max(greatest, image.data[(row * image.width + column) * image.channels + channel]!);
    }
  }
  return greatest;
}

test('pictures larger than what is worked on at once come out whole', async () => {
  const image = noiseImage({ height: 700, width: 300 });
  for (const size of [3, 8, 33]) {
    const result = await operated(image, 'dilate', size);
    for (let place = 0; place < 700 * 300; place += 997) {
      const [x, y, channel] = [place % 300, Math.floor(place / 300), place % 3];
      assert.equal(result.data[place * 3 + channel], greatestAt(image, x, y, channel, size));
    }
  }
});

test('a window larger than the picture finds one value for all', async () => {
  const image = noiseImage({ batch: 3, height: 9, width: 5, channels: 4 });
  const result = await operated(image, 'erode', 999);
  for (let index = 0; index < 3; index++) {
    const least = image.data.subarray(index * 180, (index + 1) * 180).filter((_, place) => place % 4 === 3);
    for (let pixel = 0; pixel < 45; pixel++)
      assert.equal(result.data[index * 180 + pixel * 4 + 3], Math.min(...least));
  }
});

test('one pixel is left as it is, and has no gradient', async () => {
  const image = noiseImage({ height: 1, width: 1 });
  for (const operation of ['erode', 'dilate', 'open', 'close']) {
    assert.deepEqual((await operated(image, operation, 3)).data, image.data);
  }
  for (const operation of ['gradient', 'top_hat', 'bottom_hat']) {
    assert.deepEqual([...(await operated(image, operation, 3)).data], [0, 0, 0]);
  }
});

test('NaN spreads as far as the window, infinity wins elsewhere', async () => {
  const image = noiseImage({ height: 1, width: 5, channels: 1 });
  image.data.set([Number.NaN, 0, 0.5, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]);
  const { data } = await operated(image, 'dilate', 3);
  assert.deepEqual(
    [...data],
    [Number.NaN, Number.NaN, 0.5, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
  );
});

test('the input is not changed and a cancelled job stops', async () => {
  using context = nodeContext();
  const image = noiseImage({ height: 8, width: 8 });
  const before = image.data.slice();
  await runNode(morphology, { image, operation: 'close', kernel_size: 3 }, context);
  assert.deepEqual(image.data, before);
  context.cancel();
  await assert.rejects(runNode(morphology, { image, operation: 'open', kernel_size: 3 }, context), {
    name: 'Interrupted',
  });
});
