import { readFileSync } from 'node:fs';
import { framesOf, newPacket, openDecoder, openMedia, readPacket, videoOf } from '@atelier/nodes/av';
import type { AVPixelFormat } from 'node-av/constants';
import { avGetCodecName, avGetPixFmtName, Frame } from 'node-av/lib';
import type { VideoSettings } from '../../render-request.ts';

export interface Facts {
  readonly container: string;
  readonly seconds: number;
  readonly frames: number;
  readonly video: string;
  readonly rate: string;
  readonly audio: string | undefined;
  /** The index comes before the pictures. */
  readonly startsFast: boolean;
}

export function probe(path: string): Facts {
  using media = openMedia(path, path);
  const video = videoOf(media);
  const audio = media.streams.find(({ index }) => index !== video.index);
  const { width, height, codecId, format } = video.codecpar;
  const bytes = readFileSync(path);
  return {
    container: media.format.iformat?.name ?? '',
    seconds: Number(media.format.duration) / 1e6,
    frames: Number(video.nbFrames),
    video: `${avGetCodecName(codecId)} ${avGetPixFmtName(format as AVPixelFormat)} ${width}x${height}`,
    rate: `${video.avgFrameRate.num}/${video.avgFrameRate.den}`,
    audio:
      audio &&
      `${avGetCodecName(audio.codecpar.codecId)} ${audio.codecpar.sampleRate} ${audio.codecpar.channels}`,
    startsFast: bytes.indexOf('moov') < bytes.indexOf('mdat'),
  };
}

export interface Gray {
  readonly width: number;
  readonly height: number;
  /** Brightness as it is stored, 16 to 235. */
  readonly y: Uint8Array;
}

/** The brightness of all frames. */
export function readFilm(path: string): readonly Gray[] {
  using media = openMedia(path, path);
  const video = videoOf(media);
  using decoder = openDecoder(video, path);
  using packet = newPacket();
  using frame = new Frame();
  frame.alloc();
  const frames: Gray[] = [];
  const take = (end: boolean): void => {
    for (const { width, height, data, linesize } of framesOf(decoder, end ? null : packet, frame)) {
      const y = new Uint8Array(width * height);
      const [plane] = data ?? [];
      for (let row = 0; row < height; row++) {
        const start = row * (linesize[0] ?? 0);
        y.set(plane?.subarray(start, start + width) ?? [], row * width);
      }
      frames.push({ width, height, y });
    }
  };
  while (readPacket(media.format, packet)) if (packet.streamIndex === video.index) take(false);
  take(true);
  return frames;
}

/** The mean difference of two pictures, in levels. */
export function distance(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += Math.abs((a[at] ?? 0) - (b[at] ?? 0));
  return sum / a.length;
}

export const SETTINGS: VideoSettings = {
  prompt: 'the sea at sunset',
  width: 96,
  height: 64,
  seconds: 1,
  seed: 11,
  style: 'general',
  movement: 'medium',
  audio: false,
  music: false,
  recommended: false,
};
