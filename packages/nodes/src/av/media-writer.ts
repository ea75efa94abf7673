import { AVFMT_FLAG_BITEXACT } from 'node-av/constants';
import {
  type CodecContext,
  Dictionary,
  FormatContext,
  type Packet,
  Rational,
  type Stream,
} from 'node-av/lib';
import { check, type Pace } from './ffmpeg.ts';
import type { Fraction } from './fraction.ts';

/** Text that goes into the header of a file, by name. */
export type Tags = Readonly<Record<string, string>>;

export type Container = 'mp4' | 'matroska' | 'webm' | 'flac' | 'mp3' | 'opus';

/** Something that puts packets into the file and may hold some back. */
export interface Track extends Disposable {
  /** Writes what is left. */
  finish(pace: Pace): Promise<void>;
}

export type MediaWriter = ReturnType<typeof createMediaWriter>;

/** Takes the packet's content; its time stamps are in the time base the stream was added with. */
export type PacketSink = (packet: Packet) => void;

/** A media file that is being written. Tracks are added first, then it is started, filled and finished. */
export function createMediaWriter(path: string, container: Container, tags: Tags) {
  const format = new FormatContext();
  const tracks: Track[] = [];
  let isOpen = false;
  try {
    check(format.allocOutputContext2(null, container, path), 'Creating the file');
    // Otherwise versions and random numbers are written, and equal videos give unequal files.
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
    /** The track is finished with the file and freed with it. */
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

/** Sends to the file what the encoder has ready. */
export function drainEncoder(encoder: CodecContext, packet: Packet, write: (packet: Packet) => void): void {
  while (encoder.receivePacketSync(packet) >= 0) write(packet);
}
