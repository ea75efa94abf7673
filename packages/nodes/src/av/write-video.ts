import { type NodeContext, valueError } from '@atelier/engine';
import {
  AV_PIX_FMT_RGB24,
  AV_PIX_FMT_RGB48LE,
  AV_PIX_FMT_RGBA,
  AV_PIX_FMT_YUV420P,
  AV_PIX_FMT_YUV420P10LE,
  AV_PIX_FMT_YUVA420P,
} from 'node-av/constants';
import type { Frame } from 'node-av/lib';
import { atRate } from '../audio/match-rates.ts';
import type { PixelSize } from '../image/resize/pillow-resize.ts';
import type { Fraction } from '../values/arithmetic.ts';
import type { Audio } from '../values/audio.ts';
import { type Image, picture } from '../values/image.ts';
import { packPicture } from '../video/kernels/planes.ts';
import { addAudioTrack, rateFor } from './audio-track.ts';
import { check, pacer } from './ffmpeg.ts';
import { type Container, createMediaWriter, type MediaWriter, type Tags } from './media-writer.ts';
import { createPixelConverter, newFrame } from './pixels.ts';
import { toStereo } from './remix.ts';
import { addVideoTrack, type ColorTags, type VideoCodec } from './video-track.ts';
import { slice } from './write-audio.ts';

type Work = Pick<NodeContext, 'memory' | 'checkpoint' | 'progress'>;

export interface VideoFile {
  readonly container: Extract<Container, 'mp4' | 'matroska' | 'webm'>;
  readonly codec: VideoCodec;
  readonly options: Readonly<Record<string, string>>;
  readonly tags: Tags;
}

export interface Frames {
  readonly images: Image;
  /** The index of the first picture. */
  readonly first: number;
  readonly count: number;
  readonly frameRate: Fraction;
  readonly audio: Audio | null;
  readonly pixels: 'yuv420p' | 'yuv420p10le' | 'yuva420p';
  readonly colors: ColorTags | undefined;
}

/** The pixel formats for each way of storing pictures. */
const PIXELS = {
  yuv420p: { stored: AV_PIX_FMT_YUV420P, given: AV_PIX_FMT_RGB24, wanted: 3, scale: 255 },
  yuv420p10le: { stored: AV_PIX_FMT_YUV420P10LE, given: AV_PIX_FMT_RGB48LE, wanted: 3, scale: 65535 },
  yuva420p: { stored: AV_PIX_FMT_YUVA420P, given: AV_PIX_FMT_RGBA, wanted: 4, scale: 255 },
} as const;

/** Encodes pictures with their sound to a file. */
export async function writeVideo(path: string, frames: Frames, file: VideoFile, work: Work): Promise<void> {
  const { images, first, count, frameRate, colors } = frames;
  const { width, height } = images;
  checkSize({ width, height }, file.codec);
  const { stored, given, wanted, scale } = PIXELS[frames.pixels];
  using writer = createMediaWriter(path, file.container, file.tags);
  const timeBase = { num: frameRate.den, den: frameRate.num };
  const video = addVideoTrack(writer, {
    codec: file.codec,
    width,
    height,
    pixelFormat: stored,
    frameRate,
    timeBase,
    colors,
    options: file.options,
    reorder: true,
  });
  const writeSound = addSound(writer, frames, file.container, work);
  writer.start();
  const pace = pacer(work);
  using converter = createPixelConverter();
  using source = newFrame(given, { width, height });
  check(source.getBuffer(), 'Making room for a frame');
  for (let index = 0; index < count; index += 1) {
    await pace();
    packPicture(picture(images, first + index), planeOf(source, scale), {
      width,
      height,
      channels: images.channels,
      wanted,
      scale,
    });
    using target = newFrame(stored, { width, height });
    Object.assign(target, colors);
    check(target.getBuffer(), 'Making room for a frame');
    converter.convert(target, source);
    video.write(target, { stamp: index, duration: 1 });
    writeSound?.(((index + 1) * frameRate.den) / frameRate.num);
    work.progress(index + 1, count);
  }
  writeSound?.(Number.POSITIVE_INFINITY);
  await writer.finish(pace);
}

/** The AV1 encoder waits forever for smaller frames. */
const MIN_AV1_EDGE = 32;

export function checkSize({ width, height }: PixelSize, codec: VideoCodec): void {
  if (codec === 'h264' && (width % 2 === 1 || height % 2 === 1)) {
    throw valueError(
      `H.264 needs an even width and height, and the frames are ${width}×${height}. Crop or scale them by a pixel.`,
    );
  }
  if (codec === 'av1' && Math.min(width, height) < MIN_AV1_EDGE) {
    throw valueError(
      `AV1 needs frames of at least ${MIN_AV1_EDGE}×${MIN_AV1_EDGE} pixels, and these are ${width}×${height}.`,
    );
  }
}

function planeOf(frame: Frame, scale: 255 | 65535): { data: Uint8Array | Uint16Array; stride: number } {
  const [plane] = frame.data ?? [];
  const [bytes = 0] = frame.linesize;
  if (!plane) throw new Error('A new frame has no room for its pixels.');
  if (scale === 255) return { data: plane, stride: bytes };
  return { data: new Uint16Array(plane.buffer, plane.byteOffset, plane.byteLength >> 1), stride: bytes / 2 };
}

/** Writes sound along with the frames, so that players find both at the same place in the file. */
function addSound(
  writer: MediaWriter,
  { audio, count, frameRate }: Frames,
  container: Container,
  work: Work,
): ((untilSeconds: number) => void) | undefined {
  if (!audio) return undefined;
  const whole = asFirst(audio, Math.ceil((audio.sampleRate * count * frameRate.den) / frameRate.num), work);
  const codec = container === 'webm' ? 'opus' : 'aac';
  const sampleRate = codec === 'opus' ? 48000 : rateFor('aac', audio.sampleRate);
  const waveform = atRate(whole, sampleRate, work);
  const track = addAudioTrack(writer, { codec, channels: waveform.channels, sampleRate });
  let written = 0;
  return (untilSeconds) => {
    const end = Math.min(waveform.samples, Math.ceil(untilSeconds * sampleRate));
    if (end > written) track.write(slice(waveform, written, end));
    written = Math.max(written, end);
  };
}

/** The first sound of a batch, cut to the length of the video, with channels that the codecs support. */
function asFirst({ waveform, sampleRate }: Audio, samples: number, work: Work): Audio {
  const { channels } = waveform;
  const kept = Math.min(samples, waveform.samples);
  const data = work.memory.dirtyFloats(channels * kept);
  slice(waveform, 0, kept).forEach((channel, index) => data.set(channel, index * kept));
  const first = { waveform: { batch: 1, channels, samples: kept, data }, sampleRate };
  return channels === 1 || channels === 2 || channels === 6 ? first : toStereo(first, work);
}
