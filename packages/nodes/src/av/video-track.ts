import {
  AV_PICTURE_TYPE_NONE,
  AVCOL_PRI_BT709,
  AVCOL_RANGE_MPEG,
  AVCOL_SPC_BT709,
  AVCOL_TRC_IEC61966_2_1,
  type AVColorPrimaries,
  type AVColorRange,
  type AVColorSpace,
  type AVColorTransferCharacteristic,
  type AVPixelFormat,
  FF_ENCODER_LIBSVTAV1,
  FF_ENCODER_LIBVPX_VP9,
  FF_ENCODER_LIBX264,
  type FFEncoderCodec,
} from 'node-av/constants';
import { type CodecContext, type Frame, type Packet, Rational } from 'node-av/lib';
import type { Fraction } from '../values/arithmetic.ts';
import { newPacket } from './decoder.ts';
import { CODEC_THREADS, check } from './ffmpeg.ts';
import { drainEncoder, type MediaWriter, openEncoder, type Track } from './media-writer.ts';

export type VideoCodec = 'h264' | 'av1' | 'vp9';

const ENCODERS: Readonly<Record<VideoCodec, FFEncoderCodec>> = {
  h264: FF_ENCODER_LIBX264,
  av1: FF_ENCODER_LIBSVTAV1,
  vp9: FF_ENCODER_LIBVPX_VP9,
};

/** With AVX-512, the H.264 encoder reads uninitialized memory, and writes other bytes each time. SSE4.2 is as fast. */
const STEADY: Readonly<Partial<Record<VideoCodec, Readonly<Record<string, string>>>>> =
  process.arch === 'x64' ? { h264: { 'x264-params': 'asm=SSE4.2' } } : {};

export interface ColorTags {
  readonly colorPrimaries: AVColorPrimaries;
  readonly colorTrc: AVColorTransferCharacteristic;
  readonly colorSpace: AVColorSpace;
  readonly colorRange: AVColorRange;
}

export const SRGB_TAGS: ColorTags = {
  colorPrimaries: AVCOL_PRI_BT709,
  colorTrc: AVCOL_TRC_IEC61966_2_1,
  colorSpace: AVCOL_SPC_BT709,
  colorRange: AVCOL_RANGE_MPEG,
};

export interface VideoSettings {
  readonly codec: VideoCodec;
  readonly width: number;
  readonly height: number;
  readonly pixelFormat: AVPixelFormat;
  readonly frameRate: Fraction;
  readonly timeBase: Fraction;
  readonly colors: ColorTags | undefined;
  /** Options of the encoder, by its own names. */
  readonly options: Readonly<Record<string, string>>;
  /** Whether frames may be stored out of order, which irregular times do not allow. */
  readonly reorder: boolean;
}

export interface VideoTrack extends Track {
  /** Adds a frame that has the settings' format and size. Times are in the settings' time base. */
  write(frame: Frame, time: { readonly stamp: number; readonly duration: number }): void;
}

export function addVideoTrack(writer: MediaWriter, settings: VideoSettings): VideoTrack {
  const { codec, width, height } = settings;
  const encoder = openEncoder(
    ENCODERS[codec],
    (opened) => configure(opened, settings),
    (codecName) => `${codecName} cannot encode frames of ${width}×${height} pixels; try another size.`,
  );
  const sink = writer.addStream((stream) => {
    check(stream.codecpar.fromContext(encoder), 'Describing the video');
    stream.avgFrameRate = new Rational(settings.frameRate.num, settings.frameRate.den);
  }, settings.timeBase);
  const packet = newPacket();
  /** Encoders drop durations, and the container would then guess that of the last frame. */
  const durations = new Map<number, number>();

  function writePacket(ready: Packet): void {
    const stamp = Number(ready.pts);
    const duration = durations.get(stamp);
    if (duration !== undefined) ready.duration = BigInt(duration);
    durations.delete(stamp);
    sink(ready);
  }

  const track: VideoTrack = {
    write(frame, { stamp, duration }) {
      frame.pts = BigInt(stamp);
      frame.duration = BigInt(duration);
      // The encoder must not keep the kind of frame that it was in the source.
      frame.pictType = AV_PICTURE_TYPE_NONE;
      durations.set(stamp, duration);
      check(encoder.sendFrameSync(frame), 'Encoding a frame');
      drainEncoder(encoder, packet, writePacket);
    },
    async finish(pace) {
      check(encoder.sendFrameSync(null), 'Encoding the last frames');
      // Encoders look ahead, so many frames are only encoded now.
      while (encoder.receivePacketSync(packet) >= 0) {
        writePacket(packet);
        await pace();
      }
    },
    [Symbol.dispose]() {
      packet.free();
      encoder.freeContext();
    },
  };
  writer.own(track);
  return track;
}

function configure(encoder: CodecContext, settings: VideoSettings): void {
  const { width, height, pixelFormat, frameRate, timeBase, colors } = settings;
  Object.assign(encoder, { width, height, pixelFormat, ...colors });
  encoder.timeBase = new Rational(timeBase.num, timeBase.den);
  encoder.framerate = new Rational(frameRate.num, frameRate.den);
  encoder.threadCount = CODEC_THREADS;
  if (!settings.reorder) encoder.maxBFrames = 0;
  // Not passed to the call that opens the encoder, which would free them a second time.
  for (const [option, value] of Object.entries({ ...STEADY[settings.codec], ...settings.options })) {
    check(encoder.setOption(option, value), `Setting ${option}`);
  }
}
