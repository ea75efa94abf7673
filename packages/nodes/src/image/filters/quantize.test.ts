import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { nodeContext, noiseImage, runNode } from '../../test/run-node.ts';
import type { Image } from '../../values/image.ts';
import { imageQuantize } from './quantize.ts';

interface Case {
  readonly height: number;
  readonly width: number;
  readonly colors: number;
  readonly dither: string;
  readonly seed: number;
  readonly beyond: number;
  readonly levels: number;
  readonly smooth: boolean;
  readonly expected?: string;
  readonly sha256?: string;
}

const cases = JSON.parse(
  readFileSync(new URL('../../../test/fixtures/quantize.json', import.meta.url), 'utf8'),
) as readonly Case[];

function picture({ height, width, seed, beyond, levels, smooth }: Case): Image {
  const image = noiseImage({ height, width }, { seed, beyond });
  if (levels > 0)
    image.data.forEach(
      (value, index) => (image.data[index] = Math.fround(Math.floor(value * levels)) / levels),
    );
  if (smooth) {
    image.data.forEach((value, index) => {
      const row = Math.fround(Math.floor(index / 3 / width) / height);
      const column = Math.fround((Math.floor(index / 3) % width) / width);
      image.data[index] =
        Math.fround(Math.fround(value * 0.125) + Math.fround(row * 0.5)) + Math.fround(column * 0.25);
    });
  }
  return image;
}

async function quantized(image: Image, colors: number, dither: string): Promise<Image> {
  const { outputs } = await runNode(imageQuantize, { image, colors, dither });
  return outputs[0] as Image;
}

for (const dither of new Set(cases.map((item) => item.dither))) {
  test(`quantizing with dither ${dither} gives the bytes Pillow gives`, async () => {
    for (const item of cases.filter((each) => each.dither === dither)) {
      const { data } = await quantized(picture(item), item.colors, dither);
      const bytes = Buffer.from(Uint8Array.from(data, (value) => Math.round(value * 255)));
      const label = JSON.stringify(item);
      if (item.expected) assert.deepEqual(bytes, Buffer.from(item.expected, 'base64'), label);
      else assert.equal(createHash('sha256').update(bytes).digest('hex'), item.sha256, label);
    }
  });
}

test('alpha stays as it is, and every picture of a batch has its own palette', async () => {
  const image = noiseImage({ batch: 3, height: 6, width: 5, channels: 4 });
  const result = await quantized(image, 2, 'none');
  for (let pixel = 0; pixel < 90; pixel++)
    assert.equal(result.data[pixel * 4 + 3], image.data[pixel * 4 + 3]);
  const colorsOf = (index: number): Set<string> => {
    const colors = new Set<string>();
    for (let pixel = index * 30; pixel < index * 30 + 30; pixel++) {
      colors.add(result.data.subarray(pixel * 4, pixel * 4 + 3).join());
    }
    return colors;
  };
  const palettes = [0, 1, 2].map(colorsOf);
  for (const palette of palettes) assert.equal(palette.size, 2);
  assert.equal(new Set(palettes.flatMap((palette) => [...palette])).size, 6);
});

test('a gray picture of one channel stays one', async () => {
  const result = await quantized(noiseImage({ height: 4, width: 4, channels: 1 }), 2, 'none');
  assert.equal(result.channels, 1);
  assert.equal(new Set(result.data).size, 2);
});

test('NaN and infinity are quantized like black', async () => {
  const image: Image = {
    batch: 1,
    height: 1,
    width: 2,
    channels: 3,
    data: Float32Array.of(Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0, 0, 0),
  };
  for (const dither of ['none', 'floyd-steinberg', 'bayer-4']) {
    assert.ok((await quantized(image, 4, dither)).data.every((value) => value === 0));
  }
});

test('progress is told for every picture and a cancelled job stops', async () => {
  using context = nodeContext();
  const inputs = { image: noiseImage({ batch: 3, height: 4, width: 4 }), colors: 4, dither: 'none' };
  await runNode(imageQuantize, inputs, context);
  assert.deepEqual(context.progressed, [
    [1, 3],
    [2, 3],
    [3, 3],
  ]);
  context.cancel();
  await assert.rejects(runNode(imageQuantize, inputs, context), { name: 'Interrupted' });
});
