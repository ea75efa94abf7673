import { type NodeContext, valueError } from '@atelier/engine';
import {
  AV_PIX_FMT_YUV420P,
  AV_PIX_FMT_YUV420P10LE,
  AVCOL_TRC_ARIB_STD_B67,
  AVCOL_TRC_BT709,
  AVCOL_TRC_IEC61966_2_1,
  AVCOL_TRC_SMPTE2084,
  type AVColorTransferCharacteristic,
} from 'node-av/constants';
import type { Frame, Stream } from 'node-av/lib';
import type { VideoWindow } from '../values/video.ts';
import { type AudioTrack, addAudioTrack, rateFor } from './audio-track.ts';
import { seekTo } from './decode-video.ts';
import { decodeStreams, type FrameTaker } from './decoder.ts';
import { pacer, stampOf } from './ffmpeg.ts';
import { createFrameShaper, type FrameShaper } from './frame-shape.ts';
import { createFrameTiming } from './frame-timing.ts';
import { createMediaWriter, type MediaWriter } from './media-writer.ts';
import { audioStreams, type Media, openMedia, videoOf } from './open-media.ts';
import { tagsOver } from './remux.ts';
import { createSoundCopy, type SoundShape } from './sound-copy.ts';
import { isWithin, spanOf, statedDuration, streamFacts, windowDuration } from './video-facts.ts';
import { addVideoTrack, type ColorTags, type VideoTrack } from './video-track.ts';
import { checkSize, type VideoFile } from './write-video.ts';

type Work = Pick<NodeContext, 'memory' | 'checkpoint' | 'progress'>;

export interface TranscodeSource {
  readonly path: string;
  readonly name: string;
  readonly window: VideoWindow | null;
}

/** Opened at the first frame, which has the format. */
interface Target {
  readonly writer: MediaWriter;
  readonly shaper: FrameShaper;
  readonly video: VideoTrack;
  readonly audio: AudioTrack | undefined;
}

/** Transfer characteristics whose color tags are kept. */
const KNOWN_TRANSFERS = new Set<AVColorTransferCharacteristic>([
  AVCOL_TRC_BT709,
  AVCOL_TRC_IEC61966_2_1,
  AVCOL_TRC_ARIB_STD_B67,
  AVCOL_TRC_SMPTE2084,
]);

/** Encodes a part of a video file again, frame by frame, so that memory does not grow with its length. */
export async function transcode(
  source: TranscodeSource,
  path: string,
  file: VideoFile,
  work: Work,
): Promise<void> {
  using media = openMedia(source.path, source.name);
  const video = videoOf(media);
  const sound = audioStreams(media).at(-1);
  const span = spanOf(media, source.window);
  const expected = expectedFrames(media, source.window);
  using parts = new DisposableStack();
  const shape = sound && soundShape(sound, file);
  using soundCopy = sound && shape && createSoundCopy(shape, { span, timeBase: sound.timeBase }, work);
  const { timeBase } = video;
  const { frameRate } = streamFacts(media);
  const step = Math.max(1, Math.round((frameRate.den * timeBase.den) / (frameRate.num * timeBase.num)));
  const timing = createFrameTiming({ step, end: span.endStamp });
  let target: Target | undefined;
  let seconds = 0;
  let count = 0;
  let done = false;
  seekTo(media, video, span);
  const pace = pacer(work);

  const writeSound = (): void => {
    if (target?.audio) soundCopy?.writeUntil(seconds, target.audio);
  };
  const frames: FrameTaker = {
    stream: video,
    add(decoded) {
      const stamp = stampOf(decoded);
      if (stamp !== undefined && stamp < span.startStamp) return;
      done = stamp !== undefined && !isWithin(stamp, span);
      if (done) return;
      target ??= openTarget(path, decoded, { media, shape, file }, parts);
      const time = timing(stamp, Number(decoded.duration));
      using shaped = target.shaper.shape(decoded);
      target.video.write(shaped, time);
      seconds = ((time.stamp + time.duration) * timeBase.num) / timeBase.den;
      writeSound();
      count += 1;
      work.progress(count, Math.max(count, expected));
    },
    done: () => done,
  };
  const sounds: FrameTaker | undefined = sound && {
    stream: sound,
    add: (decoded) => soundCopy?.add(decoded),
    done: () => done && (soundCopy?.reaches(seconds) ?? true),
  };
  await decodeStreams(media, sounds ? [frames, sounds] : [frames], pace);
  if (!target) throw valueError(`No frame could be decoded from ${source.name} there.`);
  writeSound();
  await target.writer.finish(pace);
}

function openTarget(
  path: string,
  first: Frame,
  {
    media,
    shape,
    file,
  }: { readonly media: Media; readonly shape: SoundShape | undefined; readonly file: VideoFile },
  parts: DisposableStack,
): Target {
  const stream = videoOf(media);
  const { frameRate, bitDepth } = streamFacts(media);
  const colors = knownColors(stream);
  const pixelFormat = bitDepth >= 10 ? AV_PIX_FMT_YUV420P10LE : AV_PIX_FMT_YUV420P;
  const { timeBase } = stream;
  const shaper = parts.use(createFrameShaper(first, { name: media.name, pixelFormat, timeBase, colors }));
  checkSize(shaper, file.codec);
  const writer = parts.use(createMediaWriter(path, file.container, tagsOver(media, file.tags)));
  const { width, height } = shaper;
  const video = addVideoTrack(writer, {
    codec: file.codec,
    width,
    height,
    pixelFormat,
    frameRate,
    timeBase,
    colors,
    options: file.options,
    reorder: false,
  });
  const codec = file.container === 'webm' ? 'opus' : 'aac';
  const audio = shape && addAudioTrack(writer, { codec, ...shape });
  writer.start();
  return { writer, shaper, video, audio };
}

/** A format for sound that the codecs support; `undefined` if the stream does not describe itself. */
function soundShape({ codecpar }: Stream, { container }: VideoFile): SoundShape | undefined {
  const { channels, sampleRate } = codecpar;
  if (channels === 0 || sampleRate === 0) return undefined;
  return {
    channels: channels === 1 || channels === 6 ? channels : 2,
    sampleRate: container === 'webm' ? 48000 : rateFor('aac', sampleRate),
  };
}

function knownColors({ codecpar }: Stream): ColorTags | undefined {
  const { colorPrimaries, colorTrc, colorSpace, colorRange } = codecpar;
  return KNOWN_TRANSFERS.has(colorTrc) ? { colorPrimaries, colorTrc, colorSpace, colorRange } : undefined;
}

/** An estimate, for progress only. */
function expectedFrames(media: Media, window: VideoWindow | null): number {
  const { frameRate } = streamFacts(media);
  const duration = windowDuration(statedDuration(media) ?? 0, window);
  return Math.max(1, Math.round((duration * frameRate.num) / frameRate.den));
}
