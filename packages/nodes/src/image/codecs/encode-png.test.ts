import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NodeError } from '@atelier/engine';
import sharp from 'sharp';
import { freshMemory, noiseImage } from '../../test/run-node.ts';
import { type Image, picture } from '../../values/image.ts';
import { encodePng } from './encode-png.ts';
import { bytesOf, fixture, pngParts } from './test/image-io-fixture.ts';

const WORK = { memory: freshMemory, checkpoint() {} };

async function encode(image: Image, bits: 8 | 16 = 8, level = 4): Promise<Uint8Array> {
  return await encodePng(picture(image, 0), image, { level, bits }, WORK);
}

for (const { channels, bits, bytes } of fixture.bytes) {
  test(`values are clipped and cut off: ${channels} channels, ${bits} bits`, async () => {
    const image = noiseImage({ height: 5, width: 6, channels }, { seed: channels, beyond: 0.2 });
    image.data.set([Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0.5]);
    const file = await encode(image, bits);
    const reading = sharp(file);
    const depth = bits === 8 ? 'uchar' : 'ushort';
    const { data } = await (bits === 8 ? reading : reading.toColorspace('rgb16'))
      .raw({ depth })
      .toBuffer({ resolveWithObject: true });
    const decoded = bits === 8 ? data : data.swap16();
    assert.deepEqual(decoded, bytesOf(bytes));
  });
}

test('what is not a number is black', async () => {
  const data = Float32Array.of(Number.NaN, 1, Number.NaN);
  const file = await encode({ batch: 1, height: 1, width: 1, channels: 3, data });
  assert.deepEqual([...(await sharp(file).raw().toBuffer())], [0, 255, 0]);
});

for (const level of [0, 1, 4, 9]) {
  test(`level ${level} loses nothing, in noise and in plain areas, small and large`, async () => {
    for (const [width, height, seed] of [
      [1, 1, 1],
      [3, 40, 2],
      [257, 131, 3],
    ] as const) {
      const image = noiseImage({ height, width }, { seed });
      image.data.fill(0.25, 0, Math.floor(image.data.length * 0.8));
      const noisy = noiseImage({ height, width }, { seed });
      for (const one of [image, noisy]) {
        const expected = one.data.map((value) => Math.floor(Math.fround(value * 255)));
        const decoded = await sharp(await encode(one, 8, level))
          .raw()
          .toBuffer();
        assert.deepEqual([...decoded], [...expected]);
      }
    }
  });
}

test('a gray picture stays one channel', async () => {
  const image = noiseImage({ height: 4, width: 5, channels: 1 });
  const file = await encode(image);
  const { channels } = await sharp(file).metadata();
  assert.equal(channels, 1);
});

test('two channels cannot be saved, and the sentence says what can', async () => {
  const image = noiseImage({ height: 4, width: 5, channels: 2 });
  await assert.rejects(
    encode(image),
    (error) => error instanceof NodeError && /1, 3 or 4/.test(error.message),
  );
});

test('the file has a header, its text, the pixels, and nothing else', async () => {
  const image = noiseImage({ height: 4, width: 5 });
  const file = await encodePng(image.data, image, { level: 1, text: [['a', 'b']] }, WORK);
  assert.deepEqual(
    pngParts(file).map(({ type }) => type),
    ['IHDR', 'tEXt', 'IDAT', 'IEND'],
  );
});

test('a keyword with characters of elsewhere is still a chunk', async () => {
  const image = noiseImage({ height: 1, width: 1 });
  const file = await encodePng(image.data, image, { level: 1, text: [['größe 名\0', '{}']] }, WORK);
  assert.equal(pngParts(file)[1]?.data.toString('latin1'), 'größe ??\0{}');
});
