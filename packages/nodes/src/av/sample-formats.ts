import { valueError } from '@atelier/engine';
import {
  AV_SAMPLE_FMT_DBL,
  AV_SAMPLE_FMT_FLT,
  AV_SAMPLE_FMT_S16,
  AV_SAMPLE_FMT_S32,
  AV_SAMPLE_FMT_S64,
  AV_SAMPLE_FMT_U8,
  type AVSampleFormat,
} from 'node-av/constants';
import { avGetPackedSampleFmt, avGetSampleFmtName, avSampleFmtIsPlanar, type Frame } from 'node-av/lib';

type Samples = Uint8Array | Int16Array | Int32Array | Float32Array | Float64Array | BigInt64Array;

/** Turns integers into −1 to 1. */
const SCALES = new Map<AVSampleFormat, number>([
  [AV_SAMPLE_FMT_U8, 2 ** 7],
  [AV_SAMPLE_FMT_S16, 2 ** 15],
  [AV_SAMPLE_FMT_S32, 2 ** 31],
  [AV_SAMPLE_FMT_S64, 2 ** 63],
]);

/** Copies the samples of one channel of a decoded frame, from `skip` on, to where `target` starts. */
export function copyChannel(frame: Frame, channel: number, skip: number, target: Float32Array): void {
  const format = frame.format as AVSampleFormat;
  const planar = avSampleFmtIsPlanar(format);
  const plane = frame.extendedData?.[planar ? channel : 0];
  if (!plane) throw new Error('A decoded frame has no samples.');
  const count = frame.nbSamples - skip;
  const samples = view(plane, avGetPackedSampleFmt(format));
  if (planar && samples instanceof Float32Array) {
    target.set(samples.subarray(skip, skip + count));
    return;
  }
  const step = planar ? 1 : frame.channels;
  const start = skip * step + (planar ? 0 : channel);
  const scale = SCALES.get(avGetPackedSampleFmt(format)) ?? 1;
  const silence = samples instanceof Uint8Array ? 128 : 0;
  for (let n = 0, at = start; n < count; n += 1, at += step)
    target[n] = (Number(samples[at]) - silence) / scale;
}

/** The bytes of a plane as its numbers. They belong to the frame: use them before it is freed. */
function view({ buffer, byteOffset, byteLength }: Buffer, format: AVSampleFormat): Samples {
  switch (format) {
    case AV_SAMPLE_FMT_U8:
      return new Uint8Array(buffer, byteOffset, byteLength);
    case AV_SAMPLE_FMT_S16:
      return new Int16Array(buffer, byteOffset, byteLength >> 1);
    case AV_SAMPLE_FMT_S32:
      return new Int32Array(buffer, byteOffset, byteLength >> 2);
    case AV_SAMPLE_FMT_FLT:
      return new Float32Array(buffer, byteOffset, byteLength >> 2);
    case AV_SAMPLE_FMT_DBL:
      return new Float64Array(buffer, byteOffset, byteLength >> 3);
    case AV_SAMPLE_FMT_S64:
      return new BigInt64Array(buffer, byteOffset, byteLength >> 3);
    default:
      throw valueError(`Samples of the kind ${avGetSampleFmtName(format)} cannot be read.`);
  }
}

/** Adding and taking it away again rounds to the nearest integer, halves to the even one. */
const ROUNDER = 1.5 * 2 ** 52;

/** Writes samples as integers with full scale `scale`, every `step`-th from `start` on; what is beyond is clipped. */
export function writeIntegers(
  samples: Float32Array,
  target: Int16Array | Int32Array,
  { scale, start, step }: { readonly scale: number; readonly start: number; readonly step: number },
): void {
  for (let n = 0, at = start; n < samples.length; n += 1, at += step) {
    const value = (samples[n] as number) * scale + ROUNDER - ROUNDER;
    target[at] = value >= scale ? scale - 1 : value >= -scale ? value : value < -scale ? -scale : 0;
  }
}
