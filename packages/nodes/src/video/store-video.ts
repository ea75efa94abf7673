import { type NodeContext, valueError } from '@atelier/engine';
import {
  AVMEDIA_TYPE_AUDIO,
  AVMEDIA_TYPE_SUBTITLE,
  AVMEDIA_TYPE_VIDEO,
  type AVMediaType,
} from 'node-av/constants';
import { avGetCodecName } from 'node-av/lib';
import type { Tags } from '../av/media-writer.ts';
import { type Media, openMedia, videoOf } from '../av/open-media.ts';
import { remux } from '../av/remux.ts';
import { transcode } from '../av/transcode.ts';
import { SRGB_TAGS } from '../av/video-track.ts';
import { type VideoFile, writeVideo } from '../av/write-video.ts';
import type { FileVideo, FramesVideo, Video } from '../values/video.ts';
import { fileRate } from './kernels/frame-window.ts';
import { cutAudio, framesOf } from './video-components.ts';

type Work = Pick<NodeContext, 'files' | 'memory' | 'checkpoint' | 'progress'>;

export interface StoreOptions {
  readonly kind: 'mp4' | 'mkv' | 'webm';
  readonly codec: 'auto' | 'h264' | 'av1';
  /** The encoder's default if undefined. */
  readonly crf: number | undefined;
  readonly tags: Tags;
}

const CONTAINERS = { mp4: 'mp4', mkv: 'matroska', webm: 'webm' } as const;

/** The codecs that WebM allows for each kind of stream. */
const WEBM_CODECS = new Map<AVMediaType, readonly string[]>([
  [AVMEDIA_TYPE_VIDEO, ['av1', 'vp8', 'vp9']],
  [AVMEDIA_TYPE_AUDIO, ['opus', 'vorbis']],
  [AVMEDIA_TYPE_SUBTITLE, ['webvtt']],
]);

/** Writes a video to a file: pictures are encoded, a file that fits is copied, and any other file is encoded again. */
export async function storeVideo(
  video: Video,
  path: string,
  options: StoreOptions,
  work: Work,
): Promise<void> {
  const { kind, crf, tags } = options;
  const codec = options.codec === 'auto' ? (kind === 'webm' ? 'av1' : 'h264') : options.codec;
  const file: VideoFile = { container: CONTAINERS[kind], codec, options: encoderOptions(codec, crf), tags };
  if (video.kind === 'frames') await storeFrames(video, path, file, work);
  else await storeFile(video, path, file, options, work);
}

function encoderOptions(codec: 'h264' | 'av1', crf: number | undefined): Record<string, string> {
  if (crf === undefined) return {};
  return codec === 'av1' && crf === 0 ? { 'svtav1-params': 'lossless=1' } : { crf: String(crf) };
}

async function storeFrames(video: FramesVideo, path: string, file: VideoFile, work: Work): Promise<void> {
  const { images, fps, bitDepth, window } = video;
  const { first, count } = framesOf(video);
  if (count === 0) throw valueError('The part of the video that is saved has no frames.');
  const audio = video.audio && window ? cutAudio(video.audio, window, work) : video.audio;
  const frameRate = fileRate(fps);
  const pixels = bitDepth >= 10 ? 'yuv420p10le' : 'yuv420p';
  await writeVideo(path, { images, first, count, frameRate, audio, pixels, colors: SRGB_TAGS }, file, work);
}

async function storeFile(
  { ref, window }: FileVideo,
  path: string,
  file: VideoFile,
  options: StoreOptions,
  work: Work,
): Promise<void> {
  const source = await work.files.localPath(ref);
  const copied = !window && (await copyIfFitting(source, ref.name, path, file, options, work));
  if (!copied) await transcode({ path: source, name: ref.name, window }, path, file, work);
}

async function copyIfFitting(
  source: string,
  name: string,
  path: string,
  file: VideoFile,
  options: StoreOptions,
  work: Work,
): Promise<boolean> {
  using media = openMedia(source, name);
  if (!fits(media, file, options)) return false;
  await remux(media, path, file, work);
  return true;
}

function fits(media: Media, { container }: VideoFile, { codec, crf }: StoreOptions): boolean {
  const stored = avGetCodecName(videoOf(media).codecpar.codecId);
  if (crf !== undefined || (codec !== 'auto' && codec !== stored)) return false;
  if (!media.format.iformat?.name?.split(',').includes(container)) return false;
  return (
    container !== 'webm' ||
    media.streams.every(({ codecpar }) => {
      const allowed = WEBM_CODECS.get(codecpar.codecType);
      return !allowed || allowed.includes(avGetCodecName(codecpar.codecId) ?? '');
    })
  );
}
