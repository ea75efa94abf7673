import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeContext, noiseImage, runNode } from '../../test/run-node.ts';
import type { Image, Mask } from '../../values/image.ts';
import { bytesOf, fixture, floatsOf, putInput } from '../codecs/test/image-io-fixture.ts';
import { painter } from './painter.ts';

const SIZE = { width: 64, height: 64, bg_color: '#000000' };

for (const { width, height, file, image, mask } of fixture.painter) {
  test(`strokes lie over a picture of ${width}×${height} as NumPy and Pillow lay them`, async () => {
    using context = nodeContext();
    putInput(context, 'strokes.png', bytesOf(file));
    const ground = noiseImage({ width, height }, { seed: 5 });
    const { outputs, ui } = await runNode(painter, { image: ground, mask: 'strokes.png', ...SIZE }, context);
    const [painted, drawn] = outputs as [Image, Mask];
    assert.deepEqual([painted.batch, painted.height, painted.width, painted.channels], [1, height, width, 3]);
    assert.deepEqual(painted.data, floatsOf(image));
    assert.deepEqual(drawn.data, floatsOf(mask));
    assert.equal(ui?.images?.length, 1);
    assert.deepEqual(ui.animated, [false]);
  });
}

test('nothing painted: the ground in its color, and an empty mask', async () => {
  const { outputs } = await runNode(painter, { mask: ' ', width: 128, height: 64, bg_color: '#ff8000' });
  const [image, mask] = outputs as [Image, Mask];
  assert.deepEqual([image.height, image.width, mask.height, mask.width], [64, 128, 64, 128]);
  image.data.forEach((value, index) => assert.equal(value, Math.fround([1, 128 / 255, 0][index % 3]!)));
  assert.ok(mask.data.every((value) => value === 0));
});

test('of a batch the first picture is painted on', async () => {
  const images = noiseImage({ batch: 3, width: 5, height: 4, channels: 4 });
  const { outputs } = await runNode(painter, { image: images, mask: '', ...SIZE });
  const [image] = outputs as [Image];
  assert.equal(image.batch, 1);
  assert.deepEqual(image.data, images.data.subarray(0, 80));
});

test('a color that is none: short ones are black, others are refused', async () => {
  const { outputs } = await runNode(painter, { mask: '', ...SIZE, bg_color: 'red' });
  assert.ok((outputs as [Image])[0].data.every((value) => value === 0));
  await assert.rejects(runNode(painter, { mask: '', ...SIZE, bg_color: '#gggggg' }), /not a color/);
});

test('it is known by the strokes', async () => {
  using context = nodeContext();
  putInput(context, 'strokes.png', Uint8Array.of(1));
  const print = async (mask: string): Promise<unknown> =>
    await painter.fingerprint?.({ mask }, { files: context.files, types: {} });
  assert.equal(await print(''), '');
  assert.equal(await print('gone.png'), '');
  assert.match(String(await print('strokes.png')), /^[\da-f]{64}$/);
});

test('strokes that are gone are a sentence with their name', async () => {
  await assert.rejects(runNode(painter, { mask: 'gone.png', ...SIZE }), /gone\.png/);
});
