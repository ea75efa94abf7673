import type { NodeContext } from '@atelier/engine';
import { type Image, type Mask, newImage, newMask } from '../../values/image.ts';
import { inRuns } from '../filters/in-runs.ts';
import { floatsFromBytes } from '../resize/bytes.ts';
import type { DecodedPictures } from './decoded-pictures.ts';

type Work = Pick<NodeContext, 'memory' | 'checkpoint'>;
type Samples = DecodedPictures['samples'];

/** The size of the mask of pictures without transparency. */
const EMPTY_MASK_EDGE = 64;

export function toImage(decoded: DecodedPictures, { memory, checkpoint }: Work): Image {
  const { width, height, frames, channels, samples } = decoded;
  const image = newImage(memory, { batch: frames, height, width, channels: 3 });
  if (channels === 3 && samples instanceof Uint8Array) {
    inRuns(samples.length, checkpoint, (from, to) =>
      floatsFromBytes(samples.subarray(from, to), image.data, from),
    );
    return image;
  }
  const colors = channels < 3 ? [0, 0, 0] : [0, 1, 2];
  takeChannels(decoded, colors, unitsOf(samples), image.data, checkpoint);
  return image;
}

/** How transparent each pixel is. Small and empty if the format has no transparency. */
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

export function toChannel(decoded: DecodedPictures, channel: number, work: Work): Mask {
  return toPlane(decoded, decoded.channels < 3 ? 0 : channel, unitsOf(decoded.samples), work);
}

function toPlane(
  decoded: DecodedPictures,
  channel: number,
  values: Float32Array,
  { memory, checkpoint }: Work,
): Mask {
  const { width, height, frames } = decoded;
  const mask = newMask(memory, { batch: frames, height, width });
  takeChannels(decoded, [channel], values, mask.data, checkpoint);
  return mask;
}

/** The value between 0 and 1 of each sample. */
function unitsOf(samples: Samples): Float32Array {
  const highest = samples instanceof Uint16Array ? 65535 : 255;
  const units = new Float32Array(highest + 1);
  for (let value = 0; value <= highest; value++) units[value] = value / highest;
  return units;
}

/** Writes the channels of every pixel, through a table of values. */
function takeChannels(
  { samples, channels }: DecodedPictures,
  wanted: readonly number[],
  values: Float32Array,
  target: Float32Array,
  checkpoint: () => void,
): void {
  const { length: kept } = wanted;
  inRuns(target.length / kept, checkpoint, (from, to) => {
    wanted.forEach((channel, place) => {
      for (
        let at = from * channels + channel, out = from * kept + place;
        out < to * kept;
        at += channels, out += kept
      )
        target[out] = values[samples[at] ?? 0] ?? 0;
    });
  });
}
