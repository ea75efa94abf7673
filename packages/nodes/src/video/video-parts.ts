import {
  bigInt,
  boolean,
  combo,
  defineNode,
  float,
  int,
  link,
  type NodeContext,
  output,
} from '@atelier/engine';
import { loadMediaWork } from '../load-media-work.ts';
import { roundHalfEven } from '../values/arithmetic.ts';
import { foldedMt19937, MAX_SEED, randomBelow, randomPermutation } from '../values/mt19937.ts';
import type { Video } from '../values/video.ts';
import { trimVideo } from './trim.ts';

export const videoSlice = defineNode({
  type: 'Video Slice',
  title: 'Trim Video',
  category: 'video',
  description: 'Takes a part of a video.',
  searchAliases: ['trim video duration', 'skip first frames', 'frame load cap', 'start time'],
  inputs: {
    video: link('VIDEO'),
    start_time: float({
      default: 0,
      min: -1e5,
      max: 1e5,
      step: 0.001,
      tooltip: 'Where the part starts, in seconds; a negative number counts from the end.',
    }),
    duration: float({ default: 0, min: 0, step: 0.001, tooltip: 'How many seconds; 0 is all that is left.' }),
    strict_duration: boolean({ default: false, tooltip: 'Fail when the video is too short for that.' }),
  },
  outputs: [output('VIDEO')],
  async run({ video, start_time, duration, strict_duration }, context) {
    return [await trimVideo(video, { start: start_time, duration, strict: strict_duration }, context)];
  },
});

export const videoFrameSample = defineNode({
  type: 'VideoFrameSample',
  title: 'Sample Video Frame',
  category: 'video',
  description: 'Keeps so many frames of a video.',
  searchAliases: ['sample frames', 'extract frames'],
  experimental: true,
  inputs: {
    video: link('VIDEO', { tooltip: 'The video to choose from.' }),
    num_frames: int({ default: 16, min: 1, max: 9999, tooltip: 'How many frames are kept.' }),
    strategy: combo(['uniform', 'head', 'tail', 'random'], {
      default: 'uniform',
      tooltip: 'Evenly spread, the first ones, the last ones, or any in their order.',
    }),
    seed: bigInt({
      default: 0,
      min: 0,
      max: MAX_SEED,
      tooltip: 'Decides which frames are chosen at random.',
    }),
  },
  outputs: [output('VIDEO', { name: 'video', tooltip: 'The frames that were kept.' })],
  async run({ video, num_frames, strategy, seed }, context) {
    const { describeVideo, frameCount, selectFrames } = await loadMediaWork();
    const total = await frameCount(video, context);
    const count = Math.min(num_frames, total);
    const { fps } = await describeVideo(video, context);
    if (strategy === 'head' || strategy === 'tail') {
      const start = strategy === 'head' ? 0 : (total - count) / fps;
      return [await trimVideo(video, { start, duration: count / fps, strict: false }, context)];
    }
    const indices = strategy === 'uniform' ? spread(total, count) : anyOf(total, count, seed);
    const images = await selectFrames(video, indices, context);
    return [{ kind: 'frames', images, fps, audio: null, bitDepth: 8, window: null }];
  },
});

function spread(total: number, count: number): number[] {
  if (count === 1) return [Math.floor(total / 2)];
  return Array.from({ length: count }, (_, index) => roundHalfEven((index * (total - 1)) / (count - 1)));
}

function anyOf(total: number, count: number, seed: bigint): number[] {
  const order = randomPermutation(foldedMt19937(seed), total);
  return Array.from(order.subarray(0, count)).toSorted((a, b) => a - b);
}

async function cropFrames(
  video: Video,
  length: number,
  context: NodeContext,
  startOf: (total: number) => number,
): Promise<readonly [Video]> {
  const { describeVideo, frameCount } = await loadMediaWork();
  const total = await frameCount(video, context);
  const start = startOf(total);
  const { fps } = await describeVideo(video, context);
  const duration = Math.min(length, total - start) / fps;
  return [await trimVideo(video, { start: start / fps, duration, strict: false }, context)];
}

export const videoTemporalCrop = defineNode({
  type: 'VideoTemporalCrop',
  title: 'Crop Video (Temporal)',
  category: 'video/transform',
  description: 'Keeps frames that follow each other.',
  searchAliases: ['crop', 'crop video', 'temporal crop', 'truncate video'],
  experimental: true,
  inputs: {
    video: link('VIDEO', { tooltip: 'The video to cut.' }),
    start_frame: int({ default: 0, min: 0, max: 99999, tooltip: 'The first frame that is kept.' }),
    length: int({ default: 16, min: 1, max: 99999, tooltip: 'How many frames are kept.' }),
  },
  outputs: [output('VIDEO', { name: 'video', tooltip: 'The part.' })],
  async run({ video, start_frame, length }, context) {
    return await cropFrames(video, length, context, (total) => Math.min(start_frame, Math.max(total - 1, 0)));
  },
});

export const videoRandomTemporalCrop = defineNode({
  type: 'VideoRandomTemporalCrop',
  title: 'Crop Video (Temporal Random)',
  category: 'video/transform',
  description: 'Keeps frames that follow each other, from anywhere in the video.',
  searchAliases: ['crop', 'crop video', 'temporal crop', 'truncate video', 'random crop'],
  experimental: true,
  inputs: {
    video: link('VIDEO', { tooltip: 'The video to cut.' }),
    length: int({ default: 16, min: 1, max: 99999, tooltip: 'How many frames are kept.' }),
    seed: bigInt({ default: 0, min: 0, max: MAX_SEED, tooltip: 'Decides where the part starts.' }),
  },
  outputs: [output('VIDEO', { name: 'video', tooltip: 'The part.' })],
  async run({ video, length, seed }, context) {
    return await cropFrames(video, length, context, (total) =>
      total > length ? randomBelow(foldedMt19937(seed), total - length + 1) : 0,
    );
  },
});
