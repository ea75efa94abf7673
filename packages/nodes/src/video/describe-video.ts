import type { NodeContext } from '@atelier/engine';
import { openMedia, videoOf } from '../av/open-media.ts';
import {
  averageRate,
  countFrames,
  rawDuration,
  spanOf,
  streamFacts,
  windowDuration,
} from '../av/video-facts.ts';
import type { Fraction } from '../values/arithmetic.ts';
import { roundHalfEven } from '../values/arithmetic.ts';
import type { Video } from '../values/video.ts';
import { framesWithin } from './kernels/frame-window.ts';

type Work = Pick<NodeContext, 'files' | 'memory' | 'checkpoint'>;

/** Describes a video without decoding it; `duration` is that of its window, in seconds. */
export async function describeVideo(video: Video, work: Work) {
  if (video.kind === 'frames') {
    const { images, fps, bitDepth, window } = video;
    const { width, height, batch } = images;
    const duration = windowDuration(batch / fps, window);
    return { width, height, fps, bitDepth, colorSpace: 'sRGB', duration };
  }
  const path = await work.files.localPath(video.ref);
  using media = openMedia(path, video.ref.name);
  const { frameRate, ...facts } = streamFacts(media);
  const duration = windowDuration(await rawDuration(media, path, work), video.window);
  return { ...facts, fps: toNumber(frameRate), duration };
}

/** The number of frames in the window, from the header or by counting. */
export async function frameCount(video: Video, work: Work): Promise<number> {
  const { window } = video;
  if (video.kind === 'frames') {
    return framesWithin({ count: video.images.batch, fps: video.fps }, window).count;
  }
  const { ref } = video;
  const path = await work.files.localPath(ref);
  using media = openMedia(path, ref.name);
  const stream = videoOf(media);
  const stated = Number(stream.nbFrames);
  if (stated > 0 && !window) return stated;
  const rate = averageRate(stream);
  const length =
    stream.duration > 0n ? (Number(stream.duration) * stream.timeBase.num) / stream.timeBase.den : 0;
  const guess = rate ? roundHalfEven(windowDuration(length, window) * toNumber(rate)) : 0;
  return guess > 0 ? guess : await countFrames(path, ref.name, spanOf(media, window), work);
}

function toNumber({ num, den }: Fraction): number {
  return num / den;
}
