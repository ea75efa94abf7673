import { valueError } from '@atelier/engine';
import {
  AV_CODEC_FLAG_BITEXACT,
  AV_CODEC_FLAG_GLOBAL_HEADER,
  AVFMT_FLAG_BITEXACT,
  type FFEncoderCodec,
} from 'node-av/constants';
import {
  Codec,
  CodecContext,
  Dictionary,
  FormatContext,
  type Packet,
  Rational,
  type Stream,
} from 'node-av/lib';
import type { Fraction } from '../values/arithmetic.ts';
import { check, type Pace } from './ffmpeg.ts';

/** Texts in the header of a file, by name. */
export type Tags = Readonly<Record<string, string>>;

export type Container = 'mp4' | 'matroska' | 'webm' | 'flac' | 'mp3' | 'opus';

/** Writes packets to the file, and may hold some back. */
export interface Track extends Disposable {
  /** Writes the packets that are left. */
  finish(pace: Pace): Promise<void>;
}

export type MediaWriter = ReturnType<typeof createMediaWriter>;

/** Takes the content of a packet. Its time stamps are in the time base that the stream was added with. */
export type PacketSink = (packet: Packet) => void;

/** Writes a media file: add tracks, then start, fill and finish it. */
export function createMediaWriter(path: string, container: Container, tags: Tags) {
  const format = new FormatContext();
  const tracks: Track[] = [];
  let isOpen = false;
  try {
    check(format.allocOutputContext2(null, container, path), 'Creating the file');
    // Otherwise FFmpeg writes versions and random numbers, and equal videos give unequal files.
    format.setFlags(AVFMT_FLAG_BITEXACT);
    using metadata = Dictionary.fromObject(tags);
    if (Object.keys(tags).length > 0) format.metadata = metadata;
  } catch (error) {
    format.freeContext();
    throw error;
  }
  return {
    addStream(describe: (stream: Stream) => void, { num, den }: Fraction): PacketSink {
      const stream = format.newStream();
      describe(stream);
      stream.timeBase = new Rational(num, den);
      const { index } = stream;
      return (packet) => {
        packet.streamIndex = index;
        packet.rescaleTs({ num, den }, stream.timeBase);
        check(format.interleavedWriteFrameSync(packet), 'Writing the file');
      };
    },
    /** Finishes and frees the track with the file. */
    own(track: Track): void {
      tracks.push(track);
    },
    start(): void {
      check(format.openOutputSync(), 'Creating the file');
      isOpen = true;
      using options = Dictionary.fromObject(
        container === 'mp4' ? { movflags: 'use_metadata_tags+faststart' } : {},
      );
      check(format.writeHeaderSync(options), 'Starting the file');
    },
    async finish(pace: Pace): Promise<void> {
      for (const track of tracks) await track.finish(pace);
      check(format.writeTrailerSync(), 'Finishing the file');
    },
    [Symbol.dispose]() {
      for (const track of tracks) track[Symbol.dispose]();
      if (isOpen) format.closeOutputSync();
      format.freeContext();
    },
  };
}

/** Opens an encoder that writes the same bytes every time. `refusal` is for settings that it does not support. */
export function openEncoder(
  name: FFEncoderCodec,
  configure: (encoder: CodecContext) => void,
  refusal: (codecName: string) => string,
): CodecContext {
  const codec = Codec.findEncoderByName(name);
  if (!codec) throw new Error(`The encoder ${name} is not part of this build of FFmpeg.`);
  const encoder = new CodecContext();
  try {
    encoder.allocContext3(codec);
    encoder.setFlags(AV_CODEC_FLAG_BITEXACT, AV_CODEC_FLAG_GLOBAL_HEADER);
    configure(encoder);
    if (encoder.open2Sync(codec) < 0) throw valueError(refusal(codec.longName ?? name));
    return encoder;
  } catch (error) {
    encoder.freeContext();
    throw error;
  }
}

export function drainEncoder(encoder: CodecContext, packet: Packet, write: (packet: Packet) => void): void {
  while (encoder.receivePacketSync(packet) >= 0) write(packet);
}
