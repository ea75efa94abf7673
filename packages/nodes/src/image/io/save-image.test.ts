import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { type HiddenValues, Interrupted, NodeError, pythonJson, type UiOutput } from '@atelier/engine';
import sharp from 'sharp';
import { nodeContext, noiseImage, noiseMask, runNode, type TestContext } from '../../test/run-node.ts';
import type { Image } from '../../values/image.ts';
import { bytesOf, fixture, pngParts } from '../codecs/test/image-io-fixture.ts';
import { emptyImage } from './empty-image.ts';
import { imageIoNodes } from './image-io-nodes.ts';
import { saveImageAdvanced } from './save-advanced.ts';
import { saveAnimatedPng, saveAnimatedWebp } from './save-animated.ts';
import { imageCompare, maskPreview, previewImage, saveImage } from './save-image.ts';
import { saveSvg } from './save-svg.ts';

interface Shown {
  readonly filename: string;
  readonly subfolder: string;
  readonly type: string;
}

/** The files that a node shows. */
function shownIn(ui: UiOutput | undefined, key = 'images'): readonly Shown[] {
  return (ui?.[key] ?? []) as readonly Shown[];
}

function fileOf({ folder }: TestContext, { filename, subfolder, type }: Shown): Buffer {
  return readFileSync(join(folder, type, subfolder, filename));
}

async function pixelsOf(context: TestContext, shown: Shown): Promise<readonly number[]> {
  return [...(await sharp(fileOf(context, shown)).raw().toBuffer())];
}

function inBytes({ data }: Pick<Image, 'data'>): readonly number[] {
  return Array.from(data, (value) => Math.min(255, Math.max(0, Math.floor(Math.fround(value * 255)))));
}

const METADATA: HiddenValues = {
  promptText: '{"1": {"class_type": "X", "inputs": {}}}',
  extraPngInfo: { workflow: { a: 1 } },
};

describe('SaveImage', () => {
  test('saves every picture of a batch, with and without alpha, and passes the batch on', async () => {
    for (const channels of [3, 4]) {
      using context = nodeContext();
      const images = noiseImage({ batch: 3, height: 5, width: 7, channels }, { beyond: 0.1 });
      const { outputs, ui } = await runNode(
        saveImage,
        { images, filename_prefix: 'a/%width%x%height%' },
        context,
      );
      assert.deepEqual(outputs, [images]);
      const expected = [1, 2, 3].map((number) => ({
        filename: `7x5_0000${number}_.png`,
        subfolder: 'a',
        type: 'output',
      }));
      assert.deepEqual(ui, { images: expected });
      const size = images.data.length / 3;
      for (const [index, shown] of expected.entries()) {
        const data = images.data.subarray(index * size, (index + 1) * size);
        assert.deepEqual(await pixelsOf(context, shown), inBytes({ data }));
      }
      assert.deepEqual(context.progressed, [
        [1, 3],
        [2, 3],
        [3, 3],
      ]);
    }
  });

  test('goes on counting where the folder is', async () => {
    using context = nodeContext();
    const images = noiseImage({ height: 2, width: 2 });
    await runNode(saveImage, { images, filename_prefix: 'n' }, context);
    const { ui } = await runNode(saveImage, { images, filename_prefix: 'n' }, context);
    assert.equal(shownIn(ui)[0]!.filename, 'n_00002_.png');
  });

  test('the index of a picture can be in its name', async () => {
    using context = nodeContext();
    const images = noiseImage({ batch: 2, height: 2, width: 2 });
    const { ui } = await runNode(saveImage, { images, filename_prefix: 'b%batch_num%' }, context);
    assert.deepEqual(
      shownIn(ui).map(({ filename }) => filename),
      ['b0_00001_.png', 'b1_00002_.png'],
    );
  });

  for (const { prompt, extra, between } of fixture.text) {
    test(`what stands before the pixels is to the byte what Pillow writes: ${JSON.stringify(prompt)?.slice(0, 24)}`, async () => {
      const hidden = {
        ...(prompt && { promptText: pythonJson(prompt) }),
        ...(extra && { extraPngInfo: extra }),
      };
      using context = nodeContext({ hidden });
      const { ui } = await runNode(
        saveImage,
        { images: noiseImage({ height: 2, width: 2 }), filename_prefix: 'm' },
        context,
      );
      const parts = pngParts(fileOf(context, shownIn(ui)[0]!));
      const texts = parts.slice(
        1,
        parts.findIndex(({ type }) => type === 'IDAT'),
      );
      assert.deepEqual(Buffer.concat(texts.map(({ whole }) => whole)), bytesOf(between));
    });
  }

  test('a name outside the folder is refused', async () => {
    const images = noiseImage({ height: 2, width: 2 });
    await assert.rejects(runNode(saveImage, { images, filename_prefix: '../x' }), NodeError);
  });

  test('a cancelled job leaves no file behind', async () => {
    using context = nodeContext();
    context.cancel();
    const images = noiseImage({ height: 200, width: 200 });
    await assert.rejects(runNode(saveImage, { images, filename_prefix: 'x' }, context), Interrupted);
    assert.deepEqual(readdirSync(context.folder), []);
  });
});

describe('previews', () => {
  test('are temporary files with five letters that stay for one node of one job', async () => {
    using context = nodeContext({ hidden: METADATA });
    const images = noiseImage({ batch: 2, height: 3, width: 3 });
    const { outputs, ui } = await runNode(previewImage, { images }, context);
    assert.deepEqual(outputs, [images]);
    const [first, second] = shownIn(ui) as [Shown, Shown];
    assert.match(first.filename, /^ComfyUI_temp_[a-vx-z]{5}_00001_\.png$/);
    assert.equal(second.filename, first.filename.replace('00001', '00002'));
    assert.deepEqual([first.subfolder, first.type], ['', 'temp']);
    const again = await runNode(previewImage, { images }, context);
    assert.equal(shownIn(again.ui)[0]!.filename, first.filename.replace('00001', '00003'));
    const other = await runNode(previewImage, { images }, { ...context, nodeId: '2' });
    assert.notEqual(shownIn(other.ui)[0]!.filename.slice(0, 18), first.filename.slice(0, 18));
    const types = pngParts(fileOf(context, first)).map(({ type }) => type);
    assert.deepEqual(types, ['IHDR', 'tEXt', 'tEXt', 'IDAT', 'IEND']);
  });

  test('MaskPreview shows gray', async () => {
    using context = nodeContext();
    const mask = noiseMask({ batch: 2, height: 3, width: 4 });
    const { outputs, ui } = await runNode(maskPreview, { mask }, context);
    assert.deepEqual(outputs, []);
    assert.deepEqual(ui?.animated, [false]);
    const second = shownIn(ui)[1]!;
    const expected = [...mask.data.subarray(12)].flatMap((value) => [value, value, value]);
    assert.deepEqual(await pixelsOf(context, second), inBytes({ data: Float32Array.from(expected) }));
  });

  test('ImageCompare shows what it is given, on either side', async () => {
    using context = nodeContext({ hidden: METADATA });
    const image = noiseImage({ height: 3, width: 4 });
    const { ui } = await runNode(imageCompare, { image_a: image, image_b: image }, context);
    assert.match(shownIn(ui, 'a_images')[0]!.filename, /^comfy\.compare\.a_temp_[a-z]{5}_00001_\.png$/);
    assert.match(shownIn(ui, 'b_images')[0]!.filename, /^comfy\.compare\.b_temp_[a-z]{5}_00001_\.png$/);
    const alone = await runNode(imageCompare, { image_b: image }, context);
    assert.deepEqual([alone.ui?.a_images?.length, alone.ui?.b_images?.length], [0, 1]);
    assert.deepEqual((await runNode(imageCompare, {})).ui, { a_images: [], b_images: [] });
  });
});

describe('SaveImageAdvanced', () => {
  for (const [bits, depth] of [
    ['8-bit', 'uchar'],
    ['16-bit', 'ushort'],
  ]) {
    test(`png with ${bits}, without the underscore, the metadata first`, async () => {
      using context = nodeContext({ hidden: METADATA });
      const images = noiseImage({ height: 3, width: 4 });
      const format = { choice: 'png', bit_depth: bits, input_color_space: 'sRGB' };
      const { ui } = await runNode(saveImageAdvanced, { images, filename_prefix: 'adv', format }, context);
      const shown = shownIn(ui)[0]!;
      assert.deepEqual(shown, { filename: 'adv_00001.png', subfolder: '', type: 'output' });
      const file = fileOf(context, shown);
      assert.equal((await sharp(file).metadata()).depth, depth);
      assert.deepEqual(
        pngParts(file).map(({ type }) => type),
        ['IHDR', 'tEXt', 'tEXt', 'IDAT', 'IEND'],
      );
    });
  }

  test('exr says that it is not available', async () => {
    const format = { choice: 'exr', bit_depth: '32-bit float', input_color_space: 'sRGB' };
    const images = noiseImage({ height: 3, width: 4 });
    await assert.rejects(
      runNode(saveImageAdvanced, { images, filename_prefix: 'x', format }),
      (error) => error instanceof NodeError && error.message.includes('not available'),
    );
  });
});

describe('animations', () => {
  const images = noiseImage({ batch: 3, height: 5, width: 4 });

  test('SaveAnimatedPNG is one file, with what made it after the pixels', async () => {
    using context = nodeContext({ hidden: METADATA });
    const inputs = { images, filename_prefix: 'p', fps: 6, compress_level: 4 };
    const { outputs, ui } = await runNode(saveAnimatedPng, inputs, context);
    assert.deepEqual(outputs, [images]);
    assert.deepEqual(ui, {
      images: [{ filename: 'p_00001_.png', subfolder: '', type: 'output' }],
      animated: [true],
    });
    const parts = pngParts(fileOf(context, shownIn(ui)[0]!));
    assert.deepEqual(
      parts.map(({ type }) => type),
      ['IHDR', 'acTL', 'fcTL', 'IDAT', 'fcTL', 'fdAT', 'fcTL', 'fdAT', 'comf', 'comf', 'IEND'],
    );
    assert.equal(parts.at(-2)?.data.toString(), 'workflow\0{"a": 1}');
  });

  test('SaveAnimatedWEBP is one file, with what made it as the camera', async () => {
    for (const [lossless, method] of [
      [true, 'default'],
      [false, 'fastest'],
      [false, 'slowest'],
    ] as const) {
      using context = nodeContext({ hidden: METADATA });
      const inputs = { images, filename_prefix: 'w', fps: 12.5, lossless, quality: 80, method };
      const { ui } = await runNode(saveAnimatedWebp, inputs, context);
      assert.deepEqual(ui?.animated, [true]);
      const shown = shownIn(ui)[0]!;
      assert.equal(shown.filename, 'w_00001_.webp');
      const { pages, delay, exif } = await sharp(fileOf(context, shown)).metadata();
      assert.deepEqual([pages, delay], [3, [80, 80, 80]]);
      assert.ok(exif?.includes('workflow:{"a": 1}\0') && exif.includes('prompt:{"1": '));
    }
  });

  test('numbers beyond the bounds, as links may bring them, end in a file or a sentence', async () => {
    for (const fps of [0, -1, Number.NaN]) {
      const inputs = { images, filename_prefix: 'x', fps, compress_level: 4 };
      await assert.rejects(runNode(saveAnimatedPng, inputs), /fps must be more than 0/);
    }
    for (const fps of [1e-6, 1e9]) {
      await runNode(saveAnimatedPng, { images, filename_prefix: 'x', fps, compress_level: 99 });
      const inputs = { images, filename_prefix: 'x', fps, lossless: false, quality: 900, method: 'fastest' };
      await runNode(saveAnimatedWebp, inputs);
    }
  });

  test('of one picture they are not animated', async () => {
    using context = nodeContext();
    const one = noiseImage({ height: 5, width: 4 });
    const png = await runNode(
      saveAnimatedPng,
      { images: one, filename_prefix: 'x', fps: 6, compress_level: 9 },
      context,
    );
    const webp = await runNode(
      saveAnimatedWebp,
      { images: one, filename_prefix: 'x', fps: 6, lossless: false, quality: 0, method: 'default' },
      context,
    );
    assert.equal(png.ui?.animated, undefined);
    assert.equal(webp.ui?.animated, undefined);
    assert.equal(shownIn(webp.ui)[0]!.filename, 'x_00002_.webp');
  });
});

describe('SaveSVGNode', () => {
  const text = '<?xml version="1.0"?>\n<svg width="4" height="4">\n<rect width="4" height="4"/></svg>';
  const svg = { data: [Buffer.from(text), Buffer.from('<svg/>')] };

  test('writes every drawing as it is when nothing is known about the job', async () => {
    using context = nodeContext();
    const { outputs, ui } = await runNode(saveSvg, { svg, filename_prefix: 'svg/ComfyUI' }, context);
    assert.deepEqual(outputs, [svg]);
    const shown = shownIn(ui);
    assert.deepEqual(
      shown.map(({ filename, subfolder }) => [subfolder, filename]),
      [
        ['svg', 'ComfyUI_00001_.svg'],
        ['svg', 'ComfyUI_00002_.svg'],
      ],
    );
    assert.equal(fileOf(context, shown[0]!).toString(), text);
  });

  test('says inside how it was made, also when the text would end the section', async () => {
    using context = nodeContext({
      hidden: { promptText: '{"9": 1.0, "3": 2}', extraPngInfo: { note: 'a ]]> b' } },
    });
    const { ui } = await runNode(saveSvg, { svg, filename_prefix: 's' }, context);
    const saved = fileOf(context, shownIn(ui)[0]!).toString();
    const section = /<svg width="4" height="4">\s*<metadata>\s*<!\[CDATA\[(.*?)\]\]>\s*<\/metadata>/s.exec(
      saved,
    )?.[1];
    assert.deepEqual(JSON.parse(section ?? ''), { prompt: { 9: 1, 3: 2 }, note: 'a ]]> b' });
    assert.match(section ?? '', /"9": 1\.0,\s+"3": 2/);
    assert.equal((await sharp(Buffer.from(saved)).metadata()).width, 4);
  });
});

describe('EmptyImage', () => {
  test('is filled with the color', async () => {
    const { outputs } = await runNode(emptyImage, { width: 3, height: 2, batch_size: 2, color: 0x336699 });
    const [image] = outputs as [Image];
    assert.deepEqual([image.batch, image.height, image.width, image.channels], [2, 2, 3, 3]);
    image.data.forEach((value, index) => assert.equal(value, Math.fround([0.2, 0.4, 0.6][index % 3]!)));
  });

  test('of one pixel, and of none', async () => {
    const { outputs } = await runNode(emptyImage, { width: 1, height: 1, batch_size: 1, color: 0xffffff });
    assert.deepEqual([...(outputs as [Image])[0].data], [1, 1, 1]);
    await assert.rejects(runNode(emptyImage, { width: 0, height: 5, batch_size: 1, color: 0 }), NodeError);
  });
});

test('every node of the family is there once', () => {
  const names = imageIoNodes.map(({ type }) => type);
  assert.equal(new Set(names).size, 15);
  assert.ok(imageIoNodes.every(({ title, category }) => title !== '' && category !== ''));
});
