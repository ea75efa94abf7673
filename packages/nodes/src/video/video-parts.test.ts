import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NodeType } from '@atelier/engine';
import { componentsOf, gradients, makeVideo } from '../test/clips.ts';
import { putInput, videoFixture } from '../test/media-fixtures.ts';
import { nodeContext, runNode, type TestContext } from '../test/run-node.ts';
import { sines } from '../test/sounds.ts';
import type { Image } from '../values/image.ts';
import { loadVideo } from './load-video.ts';
import { videoFrameSample, videoRandomTemporalCrop, videoSlice, videoTemporalCrop } from './video-parts.ts';

async function part(
  node: NodeType,
  inputs: Readonly<Record<string, unknown>>,
  context: TestContext,
): Promise<unknown> {
  const defaults = node === videoSlice ? { start_time: 0, duration: 0, strict_duration: false } : {};
  return (await runNode(node, { ...defaults, ...inputs }, context)).outputs[0];
}

/** Which of ten pictures these are: their blue says so. */
function blues({ data, batch, channels }: Image): number[] {
  const size = data.length / batch;
  return Array.from({ length: batch }, (_, index) =>
    Math.round((data[index * size + Math.min(2, channels - 1)] ?? -1) * 10),
  );
}

async function tenFrames(context: TestContext): Promise<unknown> {
  const audio = sines({ samples: 1000, sampleRate: 1000 });
  return await makeVideo({ images: gradients({ frames: 10, width: 2, height: 2 }), fps: 10, audio }, context);
}

async function fixtureVideo(name: string, context: TestContext): Promise<unknown> {
  const file = putInput(context, name, videoFixture(name).file);
  return (await runNode(loadVideo, { file }, context)).outputs[0];
}

const slices = [
  { start_time: 0, duration: 0, frames: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9], samples: 1000 },
  { start_time: 0.3, duration: 0.2, frames: [3, 4], samples: 200 },
  { start_time: -0.3, duration: 0, frames: [7, 8, 9], samples: 300 },
  { start_time: -0.3, duration: 0.1, frames: [7], samples: 100 },
  { start_time: 0.25, duration: 0, frames: [3, 4, 5, 6, 7, 8, 9], samples: 750 },
] as const;
for (const { frames, samples, ...window } of slices) {
  test(`Video Slice takes ${window.duration} s from ${window.start_time} s of pictures`, async () => {
    using context = nodeContext();
    const video = await part(videoSlice, { video: await tenFrames(context), ...window }, context);
    const { images, audio, fps } = await componentsOf(video, context);
    assert.deepEqual(blues(images), [...frames]);
    assert.equal(audio?.waveform.samples, samples);
    assert.equal(fps, 10);
  });
}

test('a part of a part stays within it', async () => {
  using context = nodeContext();
  const outer = await part(
    videoSlice,
    { video: await tenFrames(context), start_time: 0.2, duration: 0.5 },
    context,
  );
  const at = async (inputs: object): Promise<number[]> =>
    blues((await componentsOf(await part(videoSlice, { video: outer, ...inputs }, context), context)).images);
  assert.deepEqual(await at({ start_time: 0.1 }), [3, 4, 5, 6]);
  assert.deepEqual(await at({ start_time: 0.1, duration: 0.2 }), [3, 4]);
  assert.deepEqual(await at({ start_time: 0.3, duration: 9 }), [5, 6]);
  assert.deepEqual(await at({ start_time: -0.2 }), [5, 6]);
});

test('a part that is the whole is the video itself', async () => {
  using context = nodeContext();
  const video = await tenFrames(context);
  assert.equal(await part(videoSlice, { video }, context), video);
});

test('Video Slice says when the video is too short', async () => {
  using context = nodeContext();
  const video = await tenFrames(context);
  await assert.rejects(part(videoSlice, { video, start_time: 0.5, duration: 2 }, context), /lasts 1 s/);
  await assert.rejects(part(videoSlice, { video, start_time: 3 }, context), /lasts 1 s, so nothing from 3 s/);
  const file = await fixtureVideo('mpeg.ts', context);
  await assert.rejects(
    part(videoSlice, { video: file, duration: 9, strict_duration: true }, context),
    /lasts 0\.2/,
  );
  const { images } = await componentsOf(
    await part(videoSlice, { video: file, duration: 9 }, context),
    context,
  );
  assert.equal(images.batch, 6);
});

for (const name of ['h264.mp4', 'vp9.webm', 'mpeg.ts', 'h264-10bit.mkv']) {
  test(`a part of ${name} has the frames and the sound of that time`, async () => {
    using context = nodeContext();
    const video = await fixtureVideo(name, context);
    const whole = await componentsOf(video, context);
    const rate = name === 'mpeg.ts' ? 25 : 24;
    const cut = await componentsOf(
      await part(videoSlice, { video, start_time: 2 / rate, duration: 3 / rate }, context),
      context,
    );
    assert.equal(cut.images.batch, 3);
    const size = whole.images.data.length / whole.images.batch;
    assert.deepEqual(cut.images.data, whole.images.data.slice(size * 2, size * 5));
    if (!whole.audio || !cut.audio) return;
    const { sampleRate } = whole.audio;
    assert.equal(cut.audio.waveform.samples, Math.trunc((3 / rate) * sampleRate));
  });
}

test('a variable rate is cut by time', async () => {
  using context = nodeContext();
  const video = await fixtureVideo('variable.mkv', context);
  // Its frames are shown from 0, 1, 5, 6, 12, 13 and 20 thirtieths of a second on.
  const { images } = await componentsOf(
    await part(videoSlice, { video, start_time: 3.5 / 30, duration: 9 / 30 }, context),
    context,
  );
  assert.equal(images.batch, 3);
});

const samples = [
  { strategy: 'uniform', num_frames: 4, seed: 0n, frames: [0, 3, 6, 9] },
  { strategy: 'uniform', num_frames: 3, seed: 0n, frames: [0, 4, 9] },
  { strategy: 'uniform', num_frames: 1, seed: 0n, frames: [5] },
  { strategy: 'uniform', num_frames: 99, seed: 0n, frames: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] },
  { strategy: 'head', num_frames: 3, seed: 0n, frames: [0, 1, 2] },
  { strategy: 'tail', num_frames: 3, seed: 0n, frames: [7, 8, 9] },
] as const;
for (const { frames, ...inputs } of samples) {
  test(`VideoFrameSample ${inputs.strategy} of ${inputs.num_frames}`, async () => {
    using context = nodeContext();
    const video = await part(videoFrameSample, { video: await tenFrames(context), ...inputs }, context);
    const parts = await componentsOf(video, context);
    assert.deepEqual(blues(parts.images), [...frames]);
    assert.equal(parts.fps, 10);
  });
}

// numpy.random.RandomState(seed).choice(count, n, replace=False) and .randint(0, most + 1)
const chosen = [
  { seed: 0n, num_frames: 5, frames: [1, 8, 10, 18, 19] },
  { seed: 7n, num_frames: 5, frames: [1, 2, 5, 11, 17] },
] as const;
test('VideoFrameSample chooses at random what NumPy chooses', async () => {
  using context = nodeContext();
  for (const { seed, num_frames, frames } of chosen) {
    const images = gradients({ frames: 20, width: 2, height: 2 });
    const video = await makeVideo({ images, fps: 10 }, context);
    const sampled = await part(videoFrameSample, { video, strategy: 'random', num_frames, seed }, context);
    const { images: kept } = await componentsOf(sampled, context);
    const numbers = blues(kept).map((_, index) => Math.round((kept.data[index * 12 + 2] ?? -1) * 20));
    assert.deepEqual(numbers, [...frames]);
  }
});

test('frames of a file are chosen without its sound, each as often as it is asked for', async () => {
  using context = nodeContext();
  const video = await fixtureVideo('h264.mp4', context);
  const whole = await componentsOf(video, context);
  const sampled = await part(
    videoFrameSample,
    { video, strategy: 'uniform', num_frames: 3, seed: 0n },
    context,
  );
  const { images, audio, fps } = await componentsOf(sampled, context);
  const size = whole.images.data.length / 6;
  const expected = [0, 2, 5].map((index) => [
    ...whole.images.data.subarray(index * size, (index + 1) * size),
  ]);
  assert.deepEqual([...images.data], expected.flat());
  assert.deepEqual([audio, fps], [null, 24]);
});

test('VideoTemporalCrop keeps frames in a row, and fewer when there are no more', async () => {
  using context = nodeContext();
  const video = await tenFrames(context);
  for (const [start_frame, length, frames] of [
    [0, 3, [0, 1, 2]],
    [4, 2, [4, 5]],
    [8, 16, [8, 9]],
    [99, 16, [9]],
  ] as const) {
    const cropped = await part(videoTemporalCrop, { video, start_frame, length }, context);
    assert.deepEqual(blues((await componentsOf(cropped, context)).images), [...frames]);
  }
  const file = await fixtureVideo('h264-10bit.mkv', context);
  const cropped = await part(videoTemporalCrop, { video: file, start_frame: 1, length: 4 }, context);
  assert.equal((await componentsOf(cropped, context)).images.batch, 4);
});

test('VideoRandomTemporalCrop starts where NumPy says', async () => {
  using context = nodeContext();
  const video = await tenFrames(context);
  for (const [seed, length, frames] of [
    [0n, 99, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]],
    [0n, 3, [4, 5, 6]],
    [7n, 3, [7, 8, 9]],
    [99n, 9, [1, 2, 3, 4, 5, 6, 7, 8, 9]],
  ] as const) {
    const cropped = await part(videoRandomTemporalCrop, { video, length, seed }, context);
    assert.deepEqual(blues((await componentsOf(cropped, context)).images), [...frames], `seed ${seed}`);
  }
});
