import { valueError } from '@atelier/engine';
import {
  AV_TIME_BASE,
  AVCOL_TRC_ARIB_STD_B67,
  AVCOL_TRC_SMPTE2084,
  type AVColorTransferCharacteristic,
  type AVPixelFormat,
} from 'node-av/constants';
import type { Stream } from 'node-av/lib';
import type { Fraction } from '../values/arithmetic.ts';
import type { VideoWindow } from '../values/video.ts';
import { newPacket } from './decoder.ts';
import { pacer, ticks, type Work } from './ffmpeg.ts';
import { type Media, openMedia, videoOf } from './open-media.ts';
import { bitDepthOf } from './pixels.ts';

/** A part of a file, in seconds and in time stamps of its video stream. */
export interface Span {
  /** The time of the file's clock at its start. Broadcasts do not start at 0. */
  readonly origin: number;
  /** Seconds from the origin. */
  readonly start: number;
  /** Seconds; 0 means up to the end. */
  readonly duration: number;
  readonly startStamp: number;
  readonly endStamp: number | undefined;
}

const COLOR_SPACES = new Map<AVColorTransferCharacteristic, string>([
  [AVCOL_TRC_ARIB_STD_B67, 'HDR'],
  [AVCOL_TRC_SMPTE2084, 'HDR PQ'],
]);

/** Facts from the headers, without decoding. */
export function streamFacts(media: Media) {
  const stream = videoOf(media);
  const { width, height, format, colorTrc } = stream.codecpar;
  return {
    width,
    height,
    frameRate: averageRate(stream) ?? { num: 1, den: 1 },
    bitDepth: bitDepthOf(format as AVPixelFormat),
    colorSpace: COLOR_SPACES.get(colorTrc) ?? 'sRGB',
  };
}

export function averageRate({ avgFrameRate: { num, den } }: Stream): Fraction | undefined {
  return num > 0 && den > 0 ? { num, den } : undefined;
}

/** Seconds of the whole file, if its header says so. */
export function statedDuration({ format }: Media): number | undefined {
  const stated = ticks(format.duration);
  return stated !== undefined && stated > 0 ? stated / AV_TIME_BASE : undefined;
}

/** Seconds of the whole file, from its header or else by counting frames. */
export async function rawDuration(media: Media, path: string, work: Work): Promise<number> {
  const stated = statedDuration(media);
  if (stated !== undefined) return stated;
  const stream = videoOf(media);
  const rate = averageRate(stream);
  if (!rate) throw valueError(`Nothing in ${media.name} says how long it lasts.`);
  const frames = Number(stream.nbFrames) || (await countFrames(path, media.name, undefined, work));
  return (frames * rate.den) / rate.num;
}

/** Seconds of the window in a video of that length. */
export function windowDuration(whole: number, window: VideoWindow | null): number {
  if (!window) return whole;
  const rest = Math.max(0, whole - window.start);
  return window.duration > 0 ? Math.min(window.duration, rest) : rest;
}

export function spanOf(media: Media, window: VideoWindow | null): Span {
  const stream = videoOf(media);
  const origin = Math.max(0, ticks(media.format.startTime) ?? 0) / AV_TIME_BASE;
  const { start, duration } = window ?? { start: 0, duration: 0 };
  const tick = stream.timeBase.num / stream.timeBase.den;
  const zero = Math.round(origin / tick);
  return {
    origin,
    start,
    duration,
    startStamp: start === 0 ? Number.NEGATIVE_INFINITY : zero + Math.trunc(start / tick),
    endStamp: duration > 0 ? zero + Math.trunc((start + duration) / tick) : undefined,
  };
}

/** Counts the frames by their packets, without decoding. */
export async function countFrames(
  path: string,
  name: string,
  span: Span | undefined,
  work: Work,
): Promise<number> {
  using media = openMedia(path, name);
  const { index } = videoOf(media);
  using packet = newPacket();
  const pace = pacer(work);
  let count = 0;
  while (media.format.readFrameSync(packet) >= 0) {
    const stamp = ticks(packet.pts);
    if (packet.streamIndex === index && (stamp === undefined || !span || isWithin(stamp, span))) count += 1;
    packet.unref();
    await pace();
  }
  return count;
}

export function isWithin(stamp: number, { startStamp, endStamp }: Span): boolean {
  return stamp >= startStamp && (endStamp === undefined || stamp < endStamp);
}
