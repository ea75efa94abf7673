import {
  AV_CODEC_FLAG_QSCALE,
  AV_SAMPLE_FMT_FLTP,
  AV_SAMPLE_FMT_S16,
  AV_SAMPLE_FMT_S32P,
  type AVSampleFormat,
  FF_ENCODER_AAC,
  FF_ENCODER_FLAC,
  FF_ENCODER_LIBMP3LAME,
  FF_ENCODER_LIBOPUS,
  type FFEncoderCodec,
} from 'node-av/constants';
import { avChannelLayoutDefault, Codec, Frame, Rational } from 'node-av/lib';
import { newPacket } from './decoder.ts';
import { check } from './ffmpeg.ts';
import { drainEncoder, type MediaWriter, openEncoder, type Track } from './media-writer.ts';
import { writeIntegers } from './sample-formats.ts';

export type AudioCodec = 'flac' | 'mp3' | 'opus' | 'aac';

export interface AudioSettings {
  readonly codec: AudioCodec;
  readonly channels: number;
  readonly sampleRate: number;
  /** Bits per second, or the best variable rate. */
  readonly bitRate?: number | 'best';
}

export interface AudioTrack extends Track {
  /** Adds samples, one array for each channel. */
  write(channels: readonly Float32Array[]): void;
}

const ENCODERS: Readonly<
  Record<AudioCodec, { readonly name: FFEncoderCodec; readonly format: AVSampleFormat }>
> = {
  flac: { name: FF_ENCODER_FLAC, format: AV_SAMPLE_FMT_S16 },
  mp3: { name: FF_ENCODER_LIBMP3LAME, format: AV_SAMPLE_FMT_S32P },
  opus: { name: FF_ENCODER_LIBOPUS, format: AV_SAMPLE_FMT_S16 },
  aac: { name: FF_ENCODER_AAC, format: AV_SAMPLE_FMT_FLTP },
};

/** The lowest supported rate that loses nothing, or the highest one. */
export function rateFor(codec: AudioCodec, sampleRate: number): number {
  const rates = [...(Codec.findEncoderByName(ENCODERS[codec].name)?.supportedSamplerates ?? [])].toSorted(
    (a, b) => a - b,
  );
  if (rates.length === 0) return sampleRate;
  return rates.find((rate) => rate >= sampleRate) ?? rates.at(-1) ?? sampleRate;
}

export function addAudioTrack(writer: MediaWriter, settings: AudioSettings): AudioTrack {
  const { codec, channels, sampleRate, bitRate } = settings;
  const { name, format } = ENCODERS[codec];
  const encoder = openEncoder(
    name,
    (opened) => {
      opened.sampleFormat = format;
      opened.sampleRate = sampleRate;
      opened.channelLayout = avChannelLayoutDefault(channels);
      opened.timeBase = new Rational(1, sampleRate);
      opened.threadCount = 1;
      if (bitRate === 'best') {
        opened.setFlags(AV_CODEC_FLAG_QSCALE);
        opened.globalQuality = 0;
      } else if (bitRate !== undefined) {
        opened.bitRate = BigInt(bitRate);
      }
    },
    (codecName) => {
      const count = `${channels} ${channels === 1 ? 'channel' : 'channels'}`;
      return `${codecName} cannot hold sound with ${count} at ${sampleRate} Hz.`;
    },
  );
  const sink = writer.addStream(
    (stream) => {
      check(stream.codecpar.fromContext(encoder), 'Describing the sound');
    },
    { num: 1, den: sampleRate },
  );
  const packet = newPacket();
  const frameSize = encoder.frameSize || 1024;
  const pending = Array.from({ length: channels }, () => new Float32Array(frameSize));
  let filled = 0;
  let written = 0;

  function encode(): void {
    using frame = new Frame();
    frame.alloc();
    frame.format = format;
    frame.nbSamples = filled;
    frame.sampleRate = sampleRate;
    frame.channelLayout = encoder.channelLayout;
    check(frame.getBuffer(), 'Making room for sound');
    fillFrame(
      frame,
      format,
      pending.map((channel) => channel.subarray(0, filled)),
    );
    frame.pts = BigInt(written);
    written += filled;
    filled = 0;
    check(encoder.sendFrameSync(frame), 'Encoding sound');
    drainEncoder(encoder, packet, sink);
  }

  const track: AudioTrack = {
    write(given) {
      const [{ length } = new Float32Array(0)] = given;
      for (let done = 0; done < length; ) {
        const count = Math.min(length - done, frameSize - filled);
        pending.forEach((channel, index) =>
          channel.set(given[index]?.subarray(done, done + count) ?? [], filled),
        );
        filled += count;
        done += count;
        if (filled === frameSize) encode();
      }
    },
    async finish(pace) {
      await pace();
      if (filled > 0) encode();
      check(encoder.sendFrameSync(null), 'Encoding sound');
      drainEncoder(encoder, packet, sink);
    },
    [Symbol.dispose]() {
      packet.free();
      encoder.freeContext();
    },
  };
  writer.own(track);
  return track;
}

function fillFrame(frame: Frame, format: AVSampleFormat, channels: readonly Float32Array[]): void {
  const planes = frame.extendedData ?? [];
  channels.forEach((samples, index) => {
    const plane = planes[format === AV_SAMPLE_FMT_S16 ? 0 : index];
    if (!plane) throw new Error('A new frame has no room for its samples.');
    const { buffer, byteOffset, byteLength } = plane;
    if (format === AV_SAMPLE_FMT_FLTP) {
      new Float32Array(buffer, byteOffset, byteLength >> 2).set(samples);
    } else if (format === AV_SAMPLE_FMT_S32P) {
      const target = new Int32Array(buffer, byteOffset, byteLength >> 2);
      writeIntegers(samples, target, { scale: 2 ** 31, start: 0, step: 1 });
    } else {
      const target = new Int16Array(buffer, byteOffset, byteLength >> 1);
      writeIntegers(samples, target, { scale: 2 ** 15, start: index, step: channels.length });
    }
  });
}
