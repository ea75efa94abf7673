import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { pythonJson } from '@atelier/engine';
import sharp from 'sharp';
import { freshMemory, nodeContext, noiseImage } from '../../test/run-node.ts';
import type { Image } from '../../values/image.ts';
import { decodePicture } from './decode-picture.ts';
import type { DecodedPictures } from './decoded-pictures.ts';
import { encodeApng } from './encode-apng.ts';
import { encodeWebp } from './encode-webp.ts';
import { APNG_BATCHES, bytesOf, fixture, pngParts, putInput } from './test/image-io-fixture.ts';
import { exifBlock } from './webp-exif.ts';

const WORK = { memory: freshMemory, checkpoint() {} };

const first = noiseImage({ height: 6, width: 9 }, { seed: 1 }).data;
const other = noiseImage({ height: 6, width: 9 }, { seed: 3 }).data;
const moved = first.slice();
const patch = noiseImage({ height: 2, width: 5 }, { seed: 2 }).data;
for (const row of [0, 1]) moved.set(patch.subarray(row * 15, row * 15 + 15), ((2 + row) * 9 + 3) * 3);
const pictures = { first, moved, other };

function batchOf(names: readonly (keyof typeof pictures)[]): Image {
  const data = new Float32Array(names.length * first.length);
  names.forEach((name, index) => data.set(pictures[name], index * first.length));
  return { batch: names.length, height: 6, width: 9, channels: 3, data };
}

async function decode(file: Uint8Array): Promise<DecodedPictures> {
  using context = nodeContext();
  putInput(context, 'a', file);
  return await decodePicture({ folder: 'input', subfolder: '', name: 'a' }, context);
}

function inBytes(image: Image): readonly number[] {
  return Array.from(image.data, (value) => Math.min(255, Math.max(0, Math.floor(Math.fround(value * 255)))));
}

describe('animated PNG has the chunks that Pillow writes', () => {
  for (const { name, fps, chunks } of fixture.apng) {
    test(`${name} at ${fps} a second`, async () => {
      const file = await encodeApng(
        batchOf(APNG_BATCHES[name]),
        { level: 4, durationMs: Math.trunc(1000 / fps), text: [['prompt', String.raw`{"1": "\u00e9"}`]] },
        WORK,
      );
      const own = pngParts(file).map(({ type, whole }) => [
        type,
        type === 'IDAT' || type === 'fdAT' ? '' : whole.toString('base64'),
      ]);
      assert.deepEqual(own, chunks);
    });
  }

  test('read again it is the batch', async () => {
    const batch = batchOf(['first', 'other', 'moved', 'first']);
    const { frames, channels, samples } = await decode(
      await encodeApng(batch, { level: 4, durationMs: 10 }, WORK),
    );
    assert.equal(frames, 4);
    const rgb = [...samples].filter((_, index) => channels === 3 || index % 4 < 3);
    assert.deepEqual(rgb, inBytes(batch));
  });

  test('with alpha too, and a single changed pixel', async () => {
    const batch = noiseImage({ batch: 3, height: 5, width: 4, channels: 4 });
    batch.data.copyWithin(160, 80);
    batch.data[239] = 0.123;
    const { samples } = await decode(await encodeApng(batch, { level: 0, durationMs: 10 }, WORK));
    assert.deepEqual([...samples], inBytes(batch));
  });

  test('a time that has no exact fraction is taken to the next hundredth', async () => {
    const file = await encodeApng(batchOf(['first', 'other']), { level: 4, durationMs: 81_301 }, WORK);
    const control = pngParts(file).find(({ type }) => type === 'fcTL')!.data;
    assert.deepEqual([control.readUInt16BE(20), control.readUInt16BE(22)], [8130, 100]);
  });
});

function webpDurations(file: Uint8Array): readonly number[] {
  const bytes = Buffer.from(file);
  const durations: number[] = [];
  for (let at = bytes.indexOf('ANMF'); at >= 0; at = bytes.indexOf('ANMF', at + 1)) {
    durations.push(bytes.readUIntLE(at + 20, 3));
  }
  return durations;
}

describe('WebP', () => {
  const options = { lossless: true, quality: 80, effort: 4, durationMs: 166 };

  test('without loss, read again it is the batch', async () => {
    const batch = batchOf(['first', 'other', 'moved']);
    const { frames, samples } = await decode(await encodeWebp(batch, options, WORK));
    assert.equal(frames, 3);
    assert.deepEqual([...samples], inBytes(batch));
  });

  test('one picture is not an animation', async () => {
    const batch = batchOf(['first']);
    const file = await encodeWebp(batch, options, WORK);
    assert.equal((await sharp(file).metadata()).pages, undefined);
    assert.deepEqual([...(await decode(file)).samples], inBytes(batch));
  });

  test('frames are shown as long as told, also for minutes', async () => {
    for (const durationMs of [1, 166, 100_000]) {
      const file = await encodeWebp(batchOf(['first', 'other']), { ...options, durationMs }, WORK);
      assert.deepEqual(webpDurations(file), [durationMs, durationMs]);
      assert.equal((await sharp(file).metadata()).loop, 0);
    }
  });

  for (const { prompt, extra, exif } of fixture.exif) {
    test(`EXIF is what Pillow writes: ${JSON.stringify(prompt).slice(0, 30)}`, async () => {
      const { metadataExif } = await import('../io/job-metadata.ts');
      const texts = metadataExif({
        promptText: pythonJson(prompt ?? {}),
        ...(extra && { extraPngInfo: extra }),
      });
      assert.deepEqual(exifBlock(texts), bytesOf(exif));
    });
  }

  for (const names of [['first'], ['first', 'other']] as const) {
    for (const lossless of [true, false]) {
      test(`${names.length} with EXIF, ${lossless ? 'lossless' : 'lossy'}, is a file others read`, async () => {
        const file = await encodeWebp(
          batchOf(names),
          { ...options, lossless, exif: [[0x0110, 'prompt:{}']] },
          WORK,
        );
        const { exif, width, height, pages } = await sharp(file).metadata();
        assert.ok(exif?.includes('prompt:{}\0'));
        assert.deepEqual([width, height, pages], [9, 6, names.length > 1 ? 2 : undefined]);
        assert.equal(Buffer.from(file).readUInt32LE(4), file.length - 8);
      });
    }
  }

  test('alpha is kept', async () => {
    const batch = noiseImage({ batch: 2, height: 5, width: 4, channels: 4 });
    const { channels, samples } = await decode(
      await encodeWebp(batch, { ...options, exif: [[0x0110, 'x']] }, WORK),
    );
    assert.equal(channels, 4);
    const alphas = (values: readonly number[]): readonly number[] =>
      values.filter((_, index) => index % 4 === 3);
    assert.deepEqual(alphas([...samples]), alphas(inBytes(batch)));
  });

  test('a picture too wide for the format is refused', async () => {
    const data = new Float32Array(16384 * 3);
    const image = { batch: 1, height: 1, width: 16384, channels: 3, data };
    await assert.rejects(encodeWebp(image, options, WORK), /too large for WebP/);
  });
});
