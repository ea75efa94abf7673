import { type NodeContext, valueError } from '@atelier/engine';
import { AVSEEK_FLAG_BACKWARD } from 'node-av/constants';
import type { Frame, Stream } from 'node-av/lib';
import type { PixelSize } from '../image/resize/pillow-resize.ts';
import type { Audio } from '../values/audio.ts';
import { type Image, newImage } from '../values/image.ts';
import type { VideoWindow } from '../values/video.ts';
import { decodeStreams, type FrameTaker } from './decoder.ts';
import { pacer, stampOf } from './ffmpeg.ts';
import { audioStreams, type Media, openMedia, videoOf } from './open-media.ts';
import { createPictureReader, type PictureReader } from './pixels.ts';
import { collectSamples } from './sample-collector.ts';
import { countFrames, isWithin, type Span, spanOf } from './video-facts.ts';

type Work = Pick<NodeContext, 'memory' | 'checkpoint' | 'progress'>;

interface DecodeOptions {
  readonly path: string;
  readonly name: string;
  readonly window: VideoWindow | null;
  /** Decodes only these frames, counted from the start of the part, and no sound. */
  readonly only?: readonly number[] | undefined;
}

/** Decodes a part of a video file into memory. */
export async function decodeVideo(
  { path, name, window, only }: DecodeOptions,
  work: Work,
): Promise<{ readonly images: Image; readonly audio: Audio | null }> {
  using media = openMedia(path, name);
  const video = videoOf(media);
  const sound = only ? undefined : audioStreams(media).at(-1);
  const span = spanOf(media, window);
  const expected = only ? only.length : await countFrames(path, name, span, work);
  using reader = createPictureReader();
  const pictures = collectPictures({ expected, name, only }, work);
  const samples = sound ? collectSpan(media, sound, span, work) : undefined;
  seekTo(media, video, span);
  let videoDone = false;
  const frames: FrameTaker = {
    stream: video,
    add(frame) {
      const stamp = stampOf(frame);
      if (stamp !== undefined && stamp < span.startStamp) return;
      videoDone = stamp !== undefined && !isWithin(stamp, span);
      if (!videoDone) pictures.add(frame, reader);
      videoDone ||= pictures.full();
    },
    done: () => videoDone,
  };
  await decodeStreams(media, samples ? [frames, samples] : [frames], pacer(work));
  return { images: pictures.finish(), audio: samples?.finish() ?? null };
}

/** Formats with an index of their frames. In others, a seek may end after the wanted frame. */
const INDEXED = new Set(['mov', 'matroska']);

/** Skips everything before the span if that is safe. Otherwise it is decoded and dropped. */
export function seekTo({ format }: Media, { index }: Stream, { start, startStamp }: Span): void {
  if (start === 0 || !format.iformat?.name?.split(',').some((name) => INDEXED.has(name))) return;
  format.seekFrameSync(index, BigInt(startStamp), AVSEEK_FLAG_BACKWARD);
}

function collectPictures(
  {
    expected,
    name,
    only,
  }: { readonly expected: number; readonly name: string; readonly only: readonly number[] | undefined },
  { memory, progress }: Work,
) {
  const places = only && Map.groupBy(only.keys(), (place) => only[place] ?? 0);
  let image: Image | undefined;
  let seen = 0;
  let kept = 0;

  /** The batch, with room for one more frame. */
  function roomFor(size: PixelSize): Image {
    if (!image) {
      image = newImage(memory, { batch: Math.max(1, expected), ...size, channels: 3 });
    } else if (size.width !== image.width || size.height !== image.height) {
      throw valueError(
        `The frames of ${name} change from ${image.width}×${image.height} to ${size.width}×${size.height}.`,
      );
    } else if (kept === image.batch) {
      image = resized(image, Math.ceil(image.batch * 1.25));
    }
    return image;
  }

  function resized(from: Image, batch: number): Image {
    const to = newImage(memory, { ...from, batch });
    to.data.set(from.data.subarray(0, Math.min(from.data.length, to.data.length)));
    memory.free(from.data);
    return to;
  }

  return {
    add(frame: Frame, reader: PictureReader): void {
      const wanted = places ? (places.get(seen) ?? []) : [kept];
      seen += 1;
      const [first, ...others] = wanted;
      if (first === undefined) return;
      const { data, width, height } = roomFor(reader.sizeOf(frame));
      const size = width * height * 3;
      reader.read(frame, data.subarray(first * size, (first + 1) * size));
      for (const place of others) data.copyWithin(place * size, first * size, (first + 1) * size);
      kept += wanted.length;
      progress(kept, Math.max(kept, expected));
    },
    /** Whether every requested frame is there. */
    full: () => only !== undefined && kept === only.length,
    finish(): Image {
      if (!image || kept === 0) throw valueError(`No frame could be decoded from ${name} there.`);
      if (only && kept < only.length) {
        throw valueError(`${name} has fewer frames than it says: ${kept} of ${only.length} were found.`);
      }
      return kept === image.batch ? image : resized(image, kept);
    },
  };
}

function collectSpan({ name }: Media, stream: Stream, { origin, start, duration }: Span, { memory }: Work) {
  const { num, den } = stream.timeBase;
  const collector = collectSamples(name, memory);
  let done = false;
  return {
    stream,
    add(frame: Frame): void {
      const stamp = stampOf(frame);
      const time = stamp === undefined ? start : (stamp * num) / den - origin;
      if (duration > 0 && time > start + duration) done = true;
      else if (!collector.isEmpty()) collector.add(frame);
      else collector.add(frame, Math.max(0, Math.trunc((start - time) * frame.sampleRate)));
    },
    done: () => done,
    finish: () => collector.finish(duration > 0 ? duration : undefined),
  };
}
