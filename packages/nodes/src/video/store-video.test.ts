import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  AV_PKT_DATA_DISPLAYMATRIX,
  AVCOL_PRI_BT2020,
  AVCOL_SPC_BT2020_NCL,
  AVCOL_TRC_ARIB_STD_B67,
  AVCOL_TRC_BT709,
  AVCOL_TRC_SMPTE2084,
} from 'node-av/constants';
import { avGetCodecName } from 'node-av/lib';
import { newPacket, readPacket } from '../av/decoder.ts';
import { createMediaWriter } from '../av/media-writer.ts';
import { openMedia, videoOf } from '../av/open-media.ts';
import { SRGB_TAGS } from '../av/video-track.ts';
import { writeVideo } from '../av/write-video.ts';
import type { SavedFile } from '../files/save-path.ts';
import { componentsOf, distance, gradients, loadSaved, makeVideo } from '../test/clips.ts';
import { putInput, videoFixture } from '../test/media-fixtures.ts';
import { nodeContext, runNode, type TestContext } from '../test/run-node.ts';
import { sines } from '../test/sounds.ts';
import { loadVideo } from './load-video.ts';
import { saveVideo } from './save-video.ts';
import { videoSlice } from './video-parts.ts';

async function fixtureVideo(name: string, context: TestContext): Promise<unknown> {
  const file = putInput(context, name, videoFixture(name).file);
  return (await runNode(loadVideo, { file }, context)).outputs[0];
}

async function saveAs(video: unknown, format: object, context: TestContext): Promise<SavedFile> {
  const { ui } = await runNode(saveVideo, { video, filename_prefix: 'x', format }, context);
  return ui?.['images']?.[0] as SavedFile;
}

async function slice(
  video: unknown,
  start_time: number,
  duration: number,
  context: TestContext,
): Promise<unknown> {
  const inputs = { video, start_time, duration, strict_duration: false };
  return (await runNode(videoSlice, inputs, context)).outputs[0];
}

async function packetsOf(path: string): Promise<readonly string[]> {
  using media = openMedia(path, 'file');
  const { index, timeBase } = videoOf(media);
  using packet = newPacket();
  const packets: string[] = [];
  while (readPacket(media.format, packet)) {
    const time = (Number(packet.pts) * timeBase.num) / timeBase.den;
    if (packet.streamIndex === index) packets.push(`${time.toFixed(3)} ${packet.size}`);
  }
  return packets;
}

async function codecsOf({ filename }: SavedFile, context: TestContext): Promise<readonly string[]> {
  using media = openMedia(join(context.folder, 'output', filename), filename);
  return media.streams.map(({ codecpar }) => avGetCodecName(codecpar.codecId) ?? '');
}

for (const [name, format] of [
  ['h264.mp4', { choice: 'mp4', codec: { choice: 'auto' } }],
  ['h264.mp4', { choice: 'mp4', codec: { choice: 'h264' } }],
  ['h264-10bit.mkv', { choice: 'mkv' }],
  ['surround.mkv', { choice: 'mkv' }],
  ['vp9.webm', { choice: 'webm' }],
] as const) {
  test(`${name} is copied as it is to ${format.choice}, with new tags`, async () => {
    using context = nodeContext({ hidden: { extraPngInfo: { workflow: { a: 1 } } } });
    const file = await saveAs(await fixtureVideo(name, context), format, context);
    const output = join(context.folder, 'output', file.filename);
    assert.deepEqual(await packetsOf(output), await packetsOf(join(context.folder, 'input', name)));
    using media = openMedia(output, file.filename);
    const tags = Object.entries(media.format.metadata?.getAll() ?? {}).map(
      ([key, value]) => `${key.toLowerCase()} ${value}`,
    );
    assert.ok(tags.includes('workflow {"a": 1}'), tags.join());
  });
}

for (const [name, format, codecs] of [
  ['h264.mp4', { choice: 'mkv' }, ['h264', 'aac']],
  ['h264.mp4', { choice: 'webm' }, ['av1', 'opus']],
  ['vp9.webm', { choice: 'mp4' }, ['h264', 'aac']],
  ['mjpeg.avi', { choice: 'auto' }, ['h264']],
  ['mpeg.ts', { choice: 'auto' }, ['h264', 'aac']],
  ['h264-10bit.mkv', { choice: 'mp4' }, ['h264']],
  ['surround.mkv', { choice: 'mp4' }, ['h264', 'aac']],
  ['h264.mp4', { choice: 'mp4', codec: { choice: 'av1' } }, ['av1', 'aac']],
  [
    'h264.mp4',
    { choice: 'mp4', codec: { choice: 'h264', encoding: { choice: 're-encode', crf: 10 } } },
    ['h264', 'aac'],
  ],
] as const) {
  test(`${name} is encoded anew to ${JSON.stringify(format)}`, async () => {
    using context = nodeContext();
    const video = await fixtureVideo(name, context);
    const before = await componentsOf(video, context);
    const file = await saveAs(video, format, context);
    assert.deepEqual(await codecsOf(file, context), codecs);
    const after = await componentsOf(await loadSaved(file, context), context);
    assert.equal(after.images.batch, before.images.batch);
    assert.equal(after.bitDepth, before.bitDepth);
    assert.ok(Math.abs(after.fps - before.fps) < 0.5, `${after.fps} fps, was ${before.fps}`);
    const { mean } = distance(after.images, before.images);
    assert.ok(mean < 0.025, `off by ${mean} on average`);
    assert.equal(after.audio?.waveform.channels, before.audio?.waveform.channels);
    if (!before.audio || !after.audio) return;
    const seconds = after.audio.waveform.samples / after.audio.sampleRate;
    assert.ok(Math.abs(seconds - after.images.batch / after.fps) < 0.03, `${seconds} s of sound`);
  });
}

test('irregular times stay as they were', async () => {
  using context = nodeContext();
  const file = await saveAs(await fixtureVideo('variable.mkv', context), { choice: 'mp4' }, context);
  const times = (await packetsOf(join(context.folder, 'output', file.filename))).map(
    (line) => line.split(' ')[0],
  );
  assert.deepEqual(
    times,
    [0, 1, 5, 6, 12, 13, 20].map((frame) => (Math.round((frame / 30) * 1000) / 1000).toFixed(3)),
  );
});

test('a part of a file is saved with the frames and the sound of that time', async () => {
  using context = nodeContext();
  const images = gradients({ frames: 48 });
  const whole = await makeVideo({ images, audio: sines({ samples: 88200 }) }, context);
  const video = await loadSaved(await saveAs(whole, { choice: 'mp4' }, context), context);
  for (const cut of [await slice(video, 0.5, 1, context), await slice(whole, 0.5, 1, context)]) {
    const file = await saveAs(cut, { choice: 'mp4' }, context);
    const { images: kept, audio, fps } = await componentsOf(await loadSaved(file, context), context);
    assert.equal(kept.batch, 24);
    assert.equal(fps, 24);
    const size = images.data.length / 48;
    const wanted = { ...images, batch: 24, data: images.data.slice(12 * size, 36 * size) };
    const { mean } = distance(kept, wanted);
    assert.ok(mean < 0.015, `off by ${mean} on average`);
    const seconds = (audio?.waveform.samples ?? 0) / (audio?.sampleRate ?? 1);
    assert.ok(Math.abs(seconds - 1) < 0.025, `${seconds} s of sound`);
  }
});

test('odd sizes of files lose a row and a column', async () => {
  using context = nodeContext();
  const video = await fixtureVideo('vp9-odd.webm', context);
  const file = await saveAs(video, { choice: 'mp4' }, context);
  const { images } = await componentsOf(await loadSaved(file, context), context);
  assert.deepEqual([images.batch, images.height, images.width], [6, 20, 32]);
  await assert.rejects(saveAs(video, { choice: 'mp4', codec: { choice: 'av1' } }, context), /at least 32×32/);
});

test('what a file says of its colors is told, and kept when it is encoded anew', async () => {
  using context = nodeContext();
  for (const [colorTrc, name] of [
    [AVCOL_TRC_ARIB_STD_B67, 'HDR'],
    [AVCOL_TRC_SMPTE2084, 'HDR PQ'],
    [AVCOL_TRC_BT709, 'sRGB'],
  ] as const) {
    const file = putInput(context, `${colorTrc}.mp4`, Buffer.alloc(0));
    const images = gradients();
    await writeVideo(
      join(context.folder, 'input', file),
      {
        images,
        first: 0,
        count: images.batch,
        frameRate: { num: 24, den: 1 },
        audio: null,
        pixels: 'yuv420p10le',
        colors: {
          ...SRGB_TAGS,
          colorPrimaries: AVCOL_PRI_BT2020,
          colorSpace: AVCOL_SPC_BT2020_NCL,
          colorTrc,
        },
      },
      { container: 'mp4', codec: 'h264', options: {}, tags: {} },
      context,
    );
    const { outputs } = await runNode(loadVideo, { file }, context);
    const parts = await componentsOf(outputs[0], context);
    assert.deepEqual([parts.colorSpace, parts.bitDepth], [name, 10]);
    assert.ok(distance(parts.images, images).mean < 0.01);
    const again = await componentsOf(
      await loadSaved(await saveAs(outputs[0], { choice: 'mkv' }, context), context),
      context,
    );
    assert.equal(again.colorSpace, name);
    assert.ok(distance(again.images, images).mean < 0.015);
  }
});

/** A file whose pictures are to be turned before they are shown. */
async function turnedFile(degrees: number, context: TestContext): Promise<string> {
  const images = gradients({ width: 64, height: 48 });
  const plain = await saveAs(await makeVideo({ images }, context), { choice: 'mp4' }, context);
  using media = openMedia(join(context.folder, 'output', plain.filename), plain.filename);
  const stream = videoOf(media);
  putInput(context, `turned-${degrees}.mp4`, Buffer.alloc(0));
  const path = join(context.folder, 'input', `turned-${degrees}.mp4`);
  using writer = createMediaWriter(path, 'mp4', {});
  const sink = writer.addStream((copy) => {
    stream.codecpar.copy(copy.codecpar);
    copy.codecpar.addCodedSideData(AV_PKT_DATA_DISPLAYMATRIX, displayMatrix(degrees));
  }, stream.timeBase);
  writer.start();
  using packet = newPacket();
  while (readPacket(media.format, packet)) sink(packet);
  await writer.finish(() => undefined);
  return `turned-${degrees}.mp4`;
}

function displayMatrix(degrees: number): Buffer {
  const angle = (degrees * Math.PI) / 180;
  const [cosine, sine] = [Math.round(Math.cos(angle)), Math.round(Math.sin(angle))];
  const values = [cosine << 16, -sine << 16, 0, sine << 16, cosine << 16, 0, 0, 0, 1 << 30];
  const matrix = Buffer.alloc(36);
  values.forEach((value, index) => matrix.writeInt32LE(value, index * 4));
  return matrix;
}

for (const degrees of [90, 180, 270]) {
  test(`a video that was filmed turned by ${degrees}° is upright, read or encoded anew`, async () => {
    using context = nodeContext();
    const { outputs } = await runNode(loadVideo, { file: await turnedFile(degrees, context) }, context);
    const { images } = await componentsOf(outputs[0], context);
    const [width, height] = degrees === 180 ? [64, 48] : [48, 64];
    assert.deepEqual([images.width, images.height], [width, height]);
    // Red grows to the right of what was filmed and green downwards; turned by 90° against the clock, red grows upwards.
    const at = (x: number, y: number): number[] =>
      [...images.data.subarray((y * width + x) * 3, (y * width + x) * 3 + 2)].map(Math.round);
    const right = width - 1;
    const bottom = height - 1;
    const corners = [at(0, 0), at(right, 0), at(0, bottom), at(right, bottom)];
    const expected = {
      90: [
        [1, 0],
        [1, 1],
        [0, 0],
        [0, 1],
      ],
      180: [
        [1, 1],
        [0, 1],
        [1, 0],
        [0, 0],
      ],
      270: [
        [0, 1],
        [0, 0],
        [1, 1],
        [1, 0],
      ],
    }[degrees];
    assert.deepEqual(corners, expected);
    const file = await saveAs(outputs[0], { choice: 'mkv' }, context);
    const again = await componentsOf(await loadSaved(file, context), context);
    assert.deepEqual([again.images.width, again.images.height], [width, height]);
    assert.ok(distance(again.images, images).mean < 0.02);
  });
}

test('encoding anew stops when the job is cancelled', async () => {
  using context = nodeContext();
  const video = await fixtureVideo('vp9.webm', context);
  const cancelling = { ...context, progress: () => context.cancel() };
  await assert.rejects(saveAs(video, { choice: 'mp4' }, cancelling), { name: 'Interrupted' });
});

test('a damaged source ends with a sentence', async () => {
  using context = nodeContext();
  putInput(context, 'bad.mp4', Buffer.from('nothing'.repeat(300)));
  const { outputs } = await runNode(loadVideo, { file: 'bad.mp4' }, context);
  await assert.rejects(saveAs(outputs[0], { choice: 'mp4' }, context), /bad\.mp4 cannot be read/);
});
