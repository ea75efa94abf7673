import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { type TemporaryFolder, temporaryFolder } from '@atelier/testing';
import sharp from 'sharp';
import {
  RenderError,
  type VideoRequest,
  type VideoSettings,
  type WatermarkRequest,
} from '../render-request.ts';
import { renderVideo } from './render-video.ts';
import { distance, probe, readFilm, SETTINGS } from './test/films.ts';

interface Wanted {
  readonly settings?: Partial<VideoSettings>;
  readonly image?: string;
  readonly watermark?: Omit<WatermarkRequest, 'output'>;
  readonly name?: string;
}

function requestIn(
  { path }: TemporaryFolder,
  { settings, image, watermark, name = 'a' }: Wanted = {},
): VideoRequest {
  return {
    kind: 'video',
    output: join(path, `${name}.mp4`),
    cover: join(path, `${name}.jpg`),
    settings: { ...SETTINGS, ...settings },
    ...(image !== undefined && { image }),
    ...(watermark && { watermark: { ...watermark, output: join(path, `${name}-marked.mp4`) } }),
  };
}

/** A bright square on a dark ground, with some structure in both. */
async function squarePicture(folder: TemporaryFolder, width = 192, height = 128): Promise<string> {
  const pixels = new Uint8Array(width * height * 3);
  for (let at = 0; at < width * height; at++) {
    const x = at % width;
    const y = Math.floor(at / width);
    const inside = Math.abs(x - width / 2) < width / 8 && Math.abs(y - height / 2) < height / 6;
    pixels.set(inside ? [230, 200, 150] : [40 + (x % 16), 50 + (y % 16), 80], at * 3);
  }
  const path = join(folder.path, 'square.png');
  await sharp(pixels, { raw: { width, height, channels: 3 } })
    .png()
    .toFile(path);
  return path;
}

describe('the file', () => {
  test('is H.264 in MP4 of exactly the size, length and rate, without sound, ready to start', async () => {
    await using folder = await temporaryFolder();
    const request = requestIn(folder);
    const progress: number[] = [];
    await renderVideo(request, { onProgress: (done) => progress.push(done) });
    const facts = probe(request.output);
    assert.match(facts.container, /mp4/);
    assert.deepEqual(
      { ...facts, container: '' },
      {
        container: '',
        seconds: 1,
        frames: 24,
        video: 'h264 yuv420p 96x64',
        rate: '24/1',
        audio: undefined,
        startsFast: true,
      },
    );
    assert.deepEqual(readdirSync(folder.path).toSorted(), ['a.jpg', 'a.mp4']);
    assert.deepEqual(
      progress,
      progress.toSorted((a, b) => a - b),
    );
    assert.equal(progress.at(-1), 1);
  });

  test('the cover is a JPEG of the first frame', async () => {
    await using folder = await temporaryFolder();
    const request = requestIn(folder, { settings: { seconds: 0.25 } });
    await renderVideo(request);
    const { data, info } = await sharp(request.cover).greyscale().raw().toBuffer({ resolveWithObject: true });
    assert.deepEqual([info.width, info.height], [96, 64]);
    assert.equal((await sharp(request.cover).metadata()).format, 'jpeg');
    const [first] = readFilm(request.output);
    const stored = data.map((value) => 16 + (value * 219) / 255);
    assert.ok(distance(stored, first?.y ?? []) < 4);
  });

  for (const [title, settings] of [
    ['sound', { audio: true }],
    ['music', { music: true }],
  ] as const) {
    test(`has AAC in stereo of the same length where ${title} is asked for`, async () => {
      await using folder = await temporaryFolder();
      const request = requestIn(folder, { settings: { ...settings, seconds: 0.5 } });
      await renderVideo(request);
      const { audio, seconds, frames } = probe(request.output);
      assert.deepEqual({ audio, seconds, frames }, { audio: 'aac 48000 2', seconds: 0.5, frames: 12 });
    });
  }

  test('the same seed gives the same bytes, another seed another video', async () => {
    await using folder = await temporaryFolder();
    const bytes = async (name: string, seed: number): Promise<Buffer> => {
      const request = requestIn(folder, {
        name,
        settings: { seed, music: true, seconds: 0.25 },
        watermark: { corner: 'top-left' },
      });
      await renderVideo(request);
      return Buffer.concat(
        [request.output, request.cover, request.watermark?.output ?? ''].map((path) => readFileSync(path)),
      );
    };
    const first = await bytes('a', 5);
    assert.ok(first.equals(await bytes('b', 5)));
    await bytes('c', 6);
    const [one, other] = ['a', 'c'].map((name) => readFilm(join(folder.path, `${name}.mp4`))[3]);
    assert.ok(distance(one?.y ?? [], other?.y ?? []) > 3);
  });
});

describe('with a start frame', () => {
  test('the first frame is that picture, and the last one is not', async () => {
    await using folder = await temporaryFolder();
    const image = await squarePicture(folder);
    const request = requestIn(folder, { image, settings: { prompt: 'zoom in', movement: 'large' } });
    await renderVideo(request);
    const frames = readFilm(request.output);
    const own = await sharp(image).resize(96, 64).greyscale().raw().toBuffer();
    const stored = own.map((value) => 16 + (value * 219) / 255);
    assert.equal(frames.length, 24);
    assert.ok(distance(frames[0]?.y ?? [], stored) < 5);
    assert.ok(distance(frames.at(-1)?.y ?? [], stored) > 5);
  });

  test('a recommended prompt replaces the prompt', async () => {
    await using folder = await temporaryFolder();
    const image = await squarePicture(folder);
    const film = async (name: string, settings: Partial<VideoSettings>): Promise<Buffer> => {
      const request = requestIn(folder, { name, image, settings: { seconds: 0.25, ...settings } });
      await renderVideo(request);
      return readFileSync(request.output);
    };
    const [one, other] = [
      await film('a', { recommended: true, prompt: 'pan left' }),
      await film('b', { recommended: true, prompt: '' }),
    ];
    assert.ok(one.equals(other));
  });

  for (const [title, make] of [
    ['of one pixel', () => sharp({ create: { width: 1, height: 1, channels: 3, background: '#4080c0' } })],
    [
      'that is half transparent',
      () =>
        sharp({
          create: { width: 40, height: 30, channels: 4, background: { r: 200, g: 90, b: 40, alpha: 0.5 } },
        }),
    ],
    [
      'a hundred times as wide as high',
      () => sharp({ create: { width: 1000, height: 10, channels: 3, background: '#80a040' } }),
    ],
  ] as const) {
    test(`a picture ${title} is filmed`, async () => {
      await using folder = await temporaryFolder();
      const image = join(folder.path, 'odd.png');
      await make().png().toFile(image);
      const request = requestIn(folder, { image, settings: { seconds: 0.25 } });
      await renderVideo(request);
      assert.equal(probe(request.output).frames, 6);
    });
  }

  test('a file that is broken, missing or not a picture is the fault of the request, and nothing is left', async () => {
    await using folder = await temporaryFolder();
    const path = (name: string): string => join(folder.path, name);
    const whole = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#fff' } })
      .png()
      .toBuffer();
    writeFileSync(path('broken.png'), whole.subarray(0, 60));
    writeFileSync(path('none.png'), 'no picture');
    writeFileSync(path('drawing.svg'), '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
    for (const name of ['broken.png', 'none.png', 'drawing.svg', 'missing.png']) {
      await assert.rejects(renderVideo(requestIn(folder, { image: path(name) })), RenderError, name);
    }
    await assert.rejects(
      renderVideo(requestIn(folder, { watermark: { corner: 'top-left', image: path('none.png') } })),
      RenderError,
    );
    assert.deepEqual(readdirSync(folder.path).toSorted(), ['broken.png', 'drawing.svg', 'none.png']);
  });
});

test('the watermark is only in its corner, and only in the file that asks for it', async () => {
  await using folder = await temporaryFolder();
  // The camera holds: what moves fast is encoded otherwise all over the frame when a corner of it differs.
  const settings = { width: 320, height: 192, seconds: 0.25, prompt: 'night sky, static shot' };
  const request = requestIn(folder, { settings, watermark: { corner: 'bottom-right' } });
  await renderVideo(request);
  await renderVideo(requestIn(folder, { settings, name: 'plain' }));
  assert.ok(readFileSync(request.output).equals(readFileSync(join(folder.path, 'plain.mp4'))));
  const [plain, marked] = [request.output, request.watermark?.output ?? ''].map((path) => readFilm(path)[4]);
  assert.ok(plain && marked);
  const within = (isInside: boolean): number => {
    const picked = (y: Uint8Array): Uint8Array =>
      y.filter((_, at) => (at % 320 > 320 * 0.8 && at > 320 * 192 * 0.8) === isInside);
    return distance(picked(plain.y), picked(marked.y));
  };
  assert.ok(within(true) > 3, `${within(true)} in the corner`);
  assert.ok(within(false) < 1, `${within(false)} elsewhere`);
});

test('an abort ends it at once and leaves nothing', async () => {
  await using folder = await temporaryFolder();
  const ending = new AbortController();
  const reached: number[] = [];
  const onProgress = (done: number): void => {
    reached.push(done);
    if (done > 0.3) ending.abort(new Error('enough'));
  };
  const request = requestIn(folder, { settings: { seconds: 2 }, watermark: { corner: 'top-left' } });
  await assert.rejects(renderVideo(request, { signal: ending.signal, onProgress }), /enough/);
  assert.ok((reached.at(-1) ?? 1) < 0.35);
  assert.deepEqual(readdirSync(folder.path), []);
});
