import type { NodeContext } from '@atelier/engine';
import { rememberBytes } from '../../values/byte-twins.ts';
import { type Image, type Mask, newImage, newMask } from '../../values/image.ts';
import { floatsFromBytes } from '../resize/bytes.ts';
import type { DecodedPictures } from './decoded-pictures.ts';

type Work = Pick<NodeContext, 'memory' | 'checkpoint'>;
type Samples = DecodedPictures['samples'];

/** Pixels between two looks at whether the job was cancelled. */
const STRIDE = 1 << 18;

/** The mask of pictures that cannot be transparent is this small. */
const EMPTY_MASK_EDGE = 64;

/** The colors, 0 to 1 in three channels. */
export function toImage(decoded: DecodedPictures, { memory, checkpoint }: Work): Image {
  const { width, height, frames, channels, samples } = decoded;
  const image = newImage(memory, { batch: frames, height, width, channels: 3 });
  const units = unitsOf(samples);
  const pixels = width * height * frames;
  for (let from = 0; from < pixels; from += STRIDE) {
    checkpoint();
    const to = Math.min(pixels, from + STRIDE);
    if (channels === 3 && samples instanceof Uint8Array) {
      floatsFromBytes(samples.subarray(from * 3, to * 3), image.data, from * 3);
    } else {
      takeColors(samples, units, channels, image.data, from, to);
    }
  }
  if (channels === 3 && samples instanceof Uint8Array) rememberBytes(image.data, samples);
  return image;
}

/** How transparent each pixel is; small and empty when the format has no transparency. */
export function toMask(decoded: DecodedPictures, work: Work): Mask {
  const { width, height, frames, channels, hasAlpha } = decoded;
  if (hasAlpha && channels % 2 === 0) {
    const opacity = unitsOf(decoded.samples);
    return toPlane(
      decoded,
      channels - 1,
      opacity.map((unit) => 1 - unit),
      work,
    );
  }
  const size = hasAlpha ? { width, height } : { width: EMPTY_MASK_EDGE, height: EMPTY_MASK_EDGE };
  return { batch: frames, ...size, data: work.memory.floats(frames * size.height * size.width) };
}

/** One of the colors, 0 to 1: red is 0. */
export function toChannel(decoded: DecodedPictures, channel: number, work: Work): Mask {
  return toPlane(decoded, decoded.channels < 3 ? 0 : channel, unitsOf(decoded.samples), work);
}

function toPlane(
  { width, height, frames, channels, samples }: DecodedPictures,
  channel: number,
  values: Float32Array,
  { memory, checkpoint }: Work,
): Mask {
  const mask = newMask(memory, { batch: frames, height, width });
  for (let from = 0; from < mask.data.length; from += STRIDE) {
    checkpoint();
    takeChannel(
      samples,
      values,
      channels,
      channel,
      mask.data,
      from,
      Math.min(mask.data.length, from + STRIDE),
    );
  }
  return mask;
}

/** What each value of a sample is between 0 and 1. */
function unitsOf(samples: Samples): Float32Array {
  const highest = samples instanceof Uint16Array ? 65535 : 255;
  const units = new Float32Array(highest + 1);
  for (let value = 0; value <= highest; value++) units[value] = value / highest;
  return units;
}

function takeColors(
  samples: Samples,
  units: Float32Array,
  channels: number,
  target: Float32Array,
  from: number,
  to: number,
): void {
  const green = channels < 3 ? 0 : 1;
  const blue = channels < 3 ? 0 : 2;
  for (
    let pixel = from, at = from * channels, out = from * 3;
    pixel < to;
    pixel++, at += channels, out += 3
  ) {
    target[out] = units[samples[at] ?? 0] ?? 0;
    target[out + 1] = units[samples[at + green] ?? 0] ?? 0;
    target[out + 2] = units[samples[at + blue] ?? 0] ?? 0;
  }
}

function takeChannel(
  samples: Samples,
  values: Float32Array,
  channels: number,
  channel: number,
  target: Float32Array,
  from: number,
  to: number,
): void {
  for (let pixel = from, at = from * channels + channel; pixel < to; pixel++, at += channels) {
    target[pixel] = values[samples[at] ?? 0] ?? 0;
  }
}
