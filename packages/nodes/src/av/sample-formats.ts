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

type SampleArray =
  | typeof Uint8Array
  | typeof Int16Array
  | typeof Int32Array
  | typeof Float32Array
  | typeof Float64Array
  | typeof BigInt64Array;

/** The arrays of packed formats, and the divisors that turn their numbers into −1 to 1. */
const FORMATS = new Map<AVSampleFormat, { readonly Samples: SampleArray; readonly scale: number }>([
  [AV_SAMPLE_FMT_U8, { Samples: Uint8Array, scale: 2 ** 7 }],
  [AV_SAMPLE_FMT_S16, { Samples: Int16Array, scale: 2 ** 15 }],
  [AV_SAMPLE_FMT_S32, { Samples: Int32Array, scale: 2 ** 31 }],
  [AV_SAMPLE_FMT_S64, { Samples: BigInt64Array, scale: 2 ** 63 }],
  [AV_SAMPLE_FMT_FLT, { Samples: Float32Array, scale: 1 }],
  [AV_SAMPLE_FMT_DBL, { Samples: Float64Array, scale: 1 }],
]);

/** Copies the samples of one channel of a decoded frame, from `skip` on, to the start of `target`. */
export function copyChannel(frame: Frame, channel: number, skip: number, target: Float32Array): void {
  const format = frame.format as AVSampleFormat;
  const planar = avSampleFmtIsPlanar(format);
  const plane = frame.extendedData?.[planar ? channel : 0];
  if (!plane) throw new Error('A decoded frame has no samples.');
  const count = frame.nbSamples - skip;
  const packed = avGetPackedSampleFmt(format);
  const known = FORMATS.get(packed);
  if (!known) throw valueError(`Samples of the kind ${avGetSampleFmtName(packed)} cannot be read.`);
  const { Samples, scale } = known;
  const { buffer, byteOffset, byteLength } = plane;
  const samples = new Samples(
    buffer as ArrayBuffer,
    byteOffset,
    Math.floor(byteLength / Samples.BYTES_PER_ELEMENT),
  );
  if (planar && samples instanceof Float32Array) {
    target.set(samples.subarray(skip, skip + count));
    return;
  }
  const step = planar ? 1 : frame.channels;
  const start = skip * step + (planar ? 0 : channel);
  const silence = samples instanceof Uint8Array ? 128 : 0;
  for (let n = 0, at = start; n < count; n += 1, at += step)
    target[n] = (Number(samples[at]) - silence) / scale;
}

/** Adding and subtracting it rounds to the nearest integer, halves to even. */
const ROUNDER = 1.5 * 2 ** 52;

/** Writes samples as integers with full scale `scale`, every `step`-th from `start` on, and clips them. */
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
