import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { type TemporaryFolder, temporaryFolder } from '@atelier/testing';
import sharp from 'sharp';
import type { VideoSettings } from '../render-request.ts';
import { distance, SETTINGS } from './test/films.ts';
import { filmedAt } from './test/stages.ts';

/** A light dot on a dark ground, so that what moves can be measured. */
async function dotPicture({ path }: TemporaryFolder): Promise<string> {
  const width = 160;
  const height = 96;
  const pixels = new Uint8Array(width * height * 3);
  for (let at = 0; at < width * height; at++) {
    const away = Math.hypot((at % width) - width / 2, Math.floor(at / width) - height / 2);
    pixels.fill(away < 14 ? 235 : 45, at * 3, at * 3 + 3);
  }
  const file = join(path, 'dot.png');
  await sharp(pixels, { raw: { width, height, channels: 3 } })
    .png()
    .toFile(file);
  return file;
}

interface Blob {
  readonly x: number;
  readonly y: number;
  readonly area: number;
}

function blobOf(picture: Uint8ClampedArray, width: number): Blob {
  const sums = { x: 0, y: 0, area: 0 };
  for (let at = 0; at < picture.length / 3; at++) {
    if ((picture[at * 3] ?? 0) < 140) continue;
    sums.x += at % width;
    sums.y += Math.floor(at / width);
    sums.area++;
  }
  return { x: sums.x / sums.area, y: sums.y / sums.area, area: sums.area };
}

async function blobs(image: string, settings: Partial<VideoSettings>): Promise<{ first: Blob; last: Blob }> {
  const all = { ...SETTINGS, seconds: 5, ...settings };
  const [first, last] = (await filmedAt(all, [0, 5], image)).map((picture) => blobOf(picture, all.width));
  assert.ok(first && last);
  return { first, last };
}

describe('the camera', () => {
  const moves: readonly (readonly [string, (first: Blob, last: Blob) => boolean])[] = [
    ['zoom in', (first, last) => last.area > first.area * 1.15],
    ['zoom out', (first, last) => last.area < first.area * 0.95],
    ['the camera pans left', (first, last) => last.x > first.x + 2],
    ['the camera pans right', (first, last) => last.x < first.x - 2],
    ['tilt up', (first, last) => last.y > first.y + 2],
    ['tilt down', (first, last) => last.y < first.y - 2],
  ];
  for (const [prompt, isSo] of moves) {
    test(`does what “${prompt}” says`, async () => {
      await using folder = await temporaryFolder();
      const { first, last } = await blobs(await dotPicture(folder), { prompt });
      assert.ok(isSo(first, last), JSON.stringify({ first, last }));
    });
  }

  test('moves farther over a picture with a larger movement', async () => {
    await using folder = await temporaryFolder();
    const image = await dotPicture(folder);
    const travelled: number[] = [];
    for (const movement of ['small', 'medium', 'large'] as const) {
      const settings = { ...SETTINGS, prompt: 'pan right', seconds: 5, movement };
      const [first, last] = await filmedAt(settings, [0, 5], image);
      travelled.push(distance(first ?? [], last ?? []));
    }
    assert.deepEqual(
      travelled,
      travelled.toSorted((a, b) => a - b),
    );
    assert.ok((travelled[2] ?? 0) > (travelled[0] ?? 0) * 1.2, String(travelled));
  });

  test('never looks past the edge of the picture', async () => {
    await using folder = await temporaryFolder();
    const image = join(folder.path, 'white.png');
    await sharp({ create: { width: 64, height: 48, channels: 3, background: '#fff' } })
      .png()
      .toFile(image);
    for (const move of ['zoom out', 'pan left', 'pan right', 'tilt up', 'tilt down', 'orbit', 'handheld']) {
      const [picture] = await filmedAt(
        { ...SETTINGS, prompt: move, movement: 'large', seconds: 5 },
        [5],
        image,
      );
      assert.ok(Math.min(...(picture ?? [0])) > 150, move);
    }
  });
});

describe('a scene', () => {
  const prompts = [
    'mountain lake at dawn',
    'stormy sea by day, rain',
    'hills by day, clear',
    'snowy mountains under the aurora',
    'coral reef',
    'above the clouds at sunset',
    'the sound of seven',
  ];

  test('follows from the prompt: each shows something, and no two are alike', async () => {
    const pictures: Uint8ClampedArray[] = [];
    for (const prompt of prompts) {
      const [picture = new Uint8ClampedArray(1)] = await filmedAt(
        { ...SETTINGS, prompt, width: 64, height: 36 },
        [1],
      );
      const mean = picture.reduce((sum, value) => sum + value, 0) / picture.length;
      const spread = Math.sqrt(picture.reduce((sum, value) => sum + (value - mean) ** 2, 0) / picture.length);
      assert.ok(spread > 10, `${prompt} is flat`);
      for (const [index, other] of pictures.entries()) {
        assert.ok(distance(picture, other) > 12, `${prompt} is like ${prompts[index]}`);
      }
      pictures.push(picture);
    }
  });

  test('looks different as anime, with another seed, and at another time', async () => {
    const settings = { ...SETTINGS, prompt: 'meadow with clouds, day, wind' };
    const none = new Uint8ClampedArray(1);
    const [plain = none, later = none] = await filmedAt(settings, [0, 1]);
    const seen = async (given: Partial<VideoSettings>): Promise<Uint8ClampedArray> =>
      (await filmedAt({ ...settings, ...given }, [0]))[0] ?? none;
    assert.ok(distance(plain, await seen({ style: 'anime' })) > 8);
    assert.ok(distance(plain, await seen({ seed: 12 })) > 4);
    assert.ok(distance(plain, later) > 0.5);
    assert.equal(distance(plain, await seen({})), 0);
  });

  test('fills portrait and square formats too', async () => {
    for (const size of [
      { width: 36, height: 64 },
      { width: 48, height: 48 },
    ]) {
      const [picture = new Uint8ClampedArray(1)] = await filmedAt(
        { ...SETTINGS, prompt: 'a lake at noon', ...size },
        [1],
      );
      const last = picture.subarray(-size.width * 3);
      assert.ok(new Set(last).size > 4);
    }
  });
});
