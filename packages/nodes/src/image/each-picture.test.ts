import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Interrupted } from '@atelier/engine';
import sharp from 'sharp';
import { nodeContext, noiseImage } from '../test/run-node.ts';
import { previewFrame } from './codecs/preview-frame.ts';
import { bytesOf, fixture } from './codecs/test/image-io-fixture.ts';
import { eachPicture } from './each-picture.ts';

for (const { source, size, cells } of fixture.preview) {
  const [width, height] = source;
  test(`the preview of ${width}×${height} is ${size.join('×')} and looks like Pillow's`, async () => {
    const { type, bytes } = await previewFrame(noiseImage({ width, height }, { seed: 4 }), 0);
    assert.equal(type, 'image/jpeg');
    const metadata = await sharp(bytes).metadata();
    assert.deepEqual([metadata.width, metadata.height, metadata.chromaSubsampling], [...size, '4:2:0']);
    const means = await sharp(bytes).resize(8, 4, { fit: 'fill', kernel: 'linear' }).raw().toBuffer();
    const wanted = bytesOf(cells);
    const apart = means.map((value, index) => Math.abs(value - wanted[index]!));
    assert.ok(Math.max(...apart) < 40, `${Math.max(...apart)}`);
  });
}

test('a preview of a picture with alpha, or of gray, is a JPEG too', async () => {
  for (const channels of [1, 4]) {
    const { bytes } = await previewFrame(noiseImage({ width: 5, height: 3, channels }), 0);
    assert.equal((await sharp(bytes).metadata()).width, 512);
  }
});

test('every picture is worked on in order, progress follows, and previews only when they are wanted', async () => {
  using context = nodeContext();
  const image = noiseImage({ batch: 3, width: 4, height: 4 });
  const seen: number[] = [];
  const shown: unknown[] = [];
  await eachPicture(
    image,
    {
      ...context,
      wantsPreview: () => seen.length === 2,
      progress: (value, max, preview) => void shown.push([value, max, preview?.type]),
    },
    (index) => void seen.push(index),
  );
  assert.deepEqual(seen, [0, 1, 2]);
  assert.deepEqual(shown, [
    [1, 3, undefined],
    [2, 3, 'image/jpeg'],
    [3, 3, undefined],
  ]);
});

test('a cancelled job stops between pictures', async () => {
  using context = nodeContext();
  const seen: number[] = [];
  const work = (index: number): void => {
    seen.push(index);
    context.cancel();
  };
  await assert.rejects(
    eachPicture(noiseImage({ batch: 3, width: 2, height: 2 }), context, work),
    Interrupted,
  );
  assert.deepEqual(seen, [0]);
});
