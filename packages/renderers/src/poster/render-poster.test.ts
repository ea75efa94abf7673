import assert from 'node:assert/strict';
import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { createMediaWriter, newPacket, openMedia, readPacket, videoOf } from '@atelier/nodes/av';
import { AV_PKT_DATA_DISPLAYMATRIX } from 'node-av/constants';
import sharp from 'sharp';

import { RenderError } from '../render-request.ts';
import { openFilm } from '../video/film.ts';
import { renderPoster } from './render-poster.ts';

const SIZE = { width: 64, height: 32 };

/** One frame, black at the left and white at the right. */
async function writeFilm(path: string): Promise<void> {
  using film = openFilm(path, SIZE, undefined);
  film.add(({ y, u, v }) => {
    u.data.fill(128);
    v.data.fill(128);
    for (let row = 0; row < SIZE.height; row++) {
      y.data.fill(16, row * y.stride, row * y.stride + SIZE.width / 2);
      y.data.fill(235, row * y.stride + SIZE.width / 2, row * y.stride + SIZE.width);
    }
  });
  await film.finish(() => undefined);
}

/** The same film, to be turned by 90° against the clock before it is shown. */
async function turnFilm(path: string, target: string): Promise<void> {
  using media = openMedia(path, 'film');
  const stream = videoOf(media);
  using writer = createMediaWriter(target, 'mp4', {});
  const matrix = Buffer.alloc(36);
  [0, -1 << 16, 0, 1 << 16, 0, 0, 0, 0, 1 << 30].forEach((value, at) => matrix.writeInt32LE(value, at * 4));
  const sink = writer.addStream((copy) => {
    stream.codecpar.copy(copy.codecpar);
    copy.codecpar.addCodedSideData(AV_PKT_DATA_DISPLAYMATRIX, matrix);
  }, stream.timeBase);
  writer.start();
  using packet = newPacket();
  while (readPacket(media.format, packet)) sink(packet);
  await writer.finish(() => undefined);
}

/** Whether the middle of each quarter is bright: top left, top right, bottom left, bottom right. */
async function quartersOf(path: string) {
  const { data, info } = await sharp(path).raw().toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const isBright = (x: number, y: number) =>
    (data[(Math.floor(height * y) * width + Math.floor(width * x)) * channels] ?? 0) > 128;
  const quarters = [isBright(0.25, 0.25), isBright(0.75, 0.25), isBright(0.25, 0.75), isBright(0.75, 0.75)];
  return { width, height, quarters };
}

it('a poster is the first frame, upright and within the edge', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'atelier-poster-'));
  const [film, turned, poster] = ['film.mp4', 'turned.mp4', 'poster.png'].map((name) =>
    join(folder.path, name),
  );
  assert.ok(film && turned && poster);
  await writeFilm(film);
  await renderPoster({ kind: 'poster', input: film, output: poster, longestEdge: 1024 });
  assert.deepEqual(await quartersOf(poster), { ...SIZE, quarters: [false, true, false, true] });
  await turnFilm(film, turned);
  await renderPoster({ kind: 'poster', input: turned, output: poster, longestEdge: 32 });
  assert.deepEqual(await quartersOf(poster), { width: 16, height: 32, quarters: [true, true, false, false] });
});

it('a file that is not a video has no poster', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'atelier-poster-'));
  const input = join(folder.path, 'words.mp4');
  await writeFile(input, 'These are words.');
  await assert.rejects(
    renderPoster({ kind: 'poster', input, output: join(folder.path, 'poster.png'), longestEdge: 64 }),
    RenderError,
  );
});
