import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NodeError } from '@atelier/engine';
import { componentsOf } from '../test/clips.ts';
import { customProblems, missingFile } from '../test/custom-problems.ts';
import { assertSampled, assertSound, mediaFixtures, putInput, videoFixture } from '../test/media-fixtures.ts';
import { nodeContext, runNode } from '../test/run-node.ts';
import { loadVideo } from './load-video.ts';

for (const { name, shape, fps, bitDepth, frames, audio, file } of mediaFixtures.videos) {
  test(`the frames and the sound of ${name} are those that PyAV reads`, async () => {
    using context = nodeContext();
    putInput(context, name, file);
    const { outputs } = await runNode(loadVideo, { file: name }, context);
    const parts = await componentsOf(outputs[0], context);
    const { images } = parts;
    assert.deepEqual([images.batch, images.height, images.width, images.channels], [...shape, 3]);
    assert.deepEqual([parts.fps, parts.bitDepth, parts.colorSpace], [fps, bitDepth, 'sRGB']);
    // For odd sizes the referee has wrong columns, where it reads beyond the picture.
    if (!name.includes('odd')) assertSampled(images.data, frames, 1e-5);
    assert.deepEqual(context.progressed.at(-1), [shape[0], shape[0]]);
    assert.equal(parts.audio === null, audio === undefined);
    if (parts.audio && audio) assertSound(parts.audio, audio, name === 'h264.mp4' ? 1023 : 0);
  });
}

test('the same file gives the same numbers every time', async () => {
  using context = nodeContext();
  const { name, file } = videoFixture('vp9-odd.webm');
  const { outputs } = await runNode(loadVideo, { file: putInput(context, name, file) }, context);
  const first = await componentsOf(outputs[0], context);
  const again = await componentsOf(outputs[0], context);
  assert.deepEqual(again.images.data, first.images.data);
});

test('LoadVideo reads nothing yet, and keeps the folder that the name gives', async () => {
  const { outputs } = await runNode(loadVideo, { file: 'sub/clip.mp4 [output]' });
  assert.deepEqual(outputs, [
    { kind: 'file', ref: { folder: 'output', subfolder: 'sub', name: 'clip.mp4' }, window: null },
  ]);
});

test('LoadVideo is checked by name and fingerprinted by time', async () => {
  using context = nodeContext();
  const about = { files: context.files, types: {} };
  putInput(context, 'a.mp4', Buffer.from('x'));
  assert.deepEqual(await customProblems(loadVideo, { file: 'a.mp4' }, context.files), []);
  const problems = await customProblems(loadVideo, { file: 'b.mp4' }, context.files);
  assert.deepEqual(problems, [missingFile('file', 'video', 'b.mp4')]);
  assert.equal(typeof (await loadVideo.fingerprint?.({ file: 'a.mp4' }, about)), 'number');
});

/** What is wrong with a file, and what is said of it. */
const damaged: readonly (readonly [name: string, content: () => Uint8Array, message: RegExp])[] = [
  ['empty.mp4', () => Buffer.alloc(0), /empty\.mp4 cannot be read/],
  ['text.mp4', () => Buffer.from('no video at all\n'.repeat(500)), /text\.mp4 cannot be read/],
  ['zeros.webm', () => Buffer.alloc(100_000), /zeros\.webm cannot be read/],
  ['head.mp4', () => bytesOf('h264.mp4').subarray(0, 400), /head\.mp4 cannot be read/],
  ['picture.mp4', () => png(), /picture\.mp4 cannot be read/],
  ['sound.mp4', () => Buffer.from(mediaFixtures.sounds[0]?.file ?? '', 'base64'), /no video in sound\.mp4/],
  ['list.mp4', () => Buffer.from("ffconcat version 1.0\nfile 'h264.mp4'\n"), /list\.mp4 cannot be read/],
  ['play.mov', () => Buffer.from('#EXTM3U\n#EXTINF:1,\nh264.mp4\n'), /play\.mov cannot be read/],
];

function bytesOf(name: string): Buffer {
  return Buffer.from(videoFixture(name).file, 'base64');
}

function png(): Buffer {
  return Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
}

for (const [name, content, message] of damaged) {
  test(`${name} ends with a sentence`, async () => {
    using context = nodeContext();
    putInput(context, 'h264.mp4', videoFixture('h264.mp4').file);
    putInput(context, name, content());
    const { outputs } = await runNode(loadVideo, { file: name }, context);
    await assert.rejects(componentsOf(outputs[0], context), (error) => {
      assert.ok(error instanceof NodeError, String(error));
      assert.match(error.message, message);
      return true;
    });
  });
}

for (const name of ['vp9.webm', 'mpeg.ts', 'surround.mkv']) {
  test(`of ${name} that breaks off, the frames up to there are read`, async () => {
    using context = nodeContext();
    const whole = bytesOf(name);
    putInput(context, name, whole.subarray(0, Math.floor(whole.length * 0.6)));
    const { outputs } = await runNode(loadVideo, { file: name }, context);
    const { images } = await componentsOf(outputs[0], context);
    assert.ok(images.batch >= 1 && images.batch <= videoFixture(name).shape[0], `${images.batch} frames`);
    assert.ok(images.data.every((value) => Number.isFinite(value)));
  });
}

test('any byte of a file may be wrong without a crash', async () => {
  using context = nodeContext();
  const { signal } = context;
  assert.equal(signal.aborted, false);
  for (const name of ['h264.mp4', 'vp9.webm', 'mpeg.ts', 'rgb.mov']) {
    const whole = bytesOf(name);
    for (let round = 0; round < 12; round += 1) {
      const broken = Uint8Array.from(whole);
      for (let n = 0; n < 20; n += 1)
        broken[(round * 7919 + n * n * 104729) % broken.length] = (n * 37 + round) & 255;
      const file = putInput(context, `${round}-${name}`, broken);
      const { outputs } = await runNode(loadVideo, { file }, context);
      await componentsOf(outputs[0], context).catch((error: unknown) => {
        assert.ok(error instanceof NodeError, String(error));
      });
    }
  }
});

test('reading stops when the job is cancelled', async () => {
  using context = nodeContext();
  const { name, file } = videoFixture('h264.mp4');
  const { outputs } = await runNode(loadVideo, { file: putInput(context, name, file) }, context);
  const reading = componentsOf(outputs[0], { ...context, progress: () => context.cancel() });
  await assert.rejects(reading, { name: 'Interrupted' });
});

test('frames that do not fit into memory are refused', async () => {
  using context = nodeContext();
  const { name, file } = videoFixture('h264.mp4');
  const { outputs } = await runNode(loadVideo, { file: putInput(context, name, file) }, context);
  const full = new NodeError('OOMError', 'full');
  const memory = {
    ...context.memory,
    dirtyFloats(length: number): Float32Array<ArrayBuffer> {
      if (length > 10_000) throw full;
      return new Float32Array(length);
    },
  };
  await assert.rejects(componentsOf(outputs[0], { ...context, memory }), full);
});
