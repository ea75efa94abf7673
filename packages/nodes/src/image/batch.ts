import { type Memory, NodeError, valueError } from '@atelier/engine';
import { type Area, type Image, type Mask, type MaskShape, newImage, picture } from '../values/image.ts';

export type { Area } from '../values/image.ts';

/** A value of the same kind in another size. The caller must write every element. */
export function newLike<T extends Image | Mask>(memory: Memory, value: T, size: Partial<MaskShape>): T {
  const { batch, height, width } = { ...value, ...size };
  const data = memory.dirtyFloats(batch * height * width * channelsOf(value));
  return { ...value, batch, height, width, data };
}

/** A mask is a picture of one channel. */
export function channelsOf(value: Image | Mask): number {
  return 'channels' in value ? value.channels : 1;
}

/** Called between pictures or rows; throws if the job was cancelled. */
type Checkpoint = () => void;
const never: Checkpoint = () => {};

/** Keeps the first pictures, or repeats all of them. */
export function repeatToBatchSize<T extends Image | Mask>(
  value: T,
  batch: number,
  memory: Memory,
  checkpoint: Checkpoint = never,
): T {
  if (value.batch === batch) return value;
  const result = newLike(memory, value, { batch });
  for (let index = 0; index < batch; index++) {
    checkpoint();
    picture(result, index).set(picture(value, index % value.batch));
  }
  return result;
}

/** Copies consecutive pictures. */
export function sliceBatch<T extends Image | Mask>(value: T, start: number, end: number, memory: Memory): T {
  if (start === 0 && end === value.batch) return value;
  const result = newLike(memory, value, { batch: end - start });
  const size = value.data.length / value.batch;
  result.data.set(value.data.subarray(start * size, end * size));
  return result;
}

/** Splits batches into single pictures, without a copy. */
export function separate<T extends Image | Mask>(values: readonly T[]): readonly T[] {
  return values.flatMap((value) =>
    value.batch === 1
      ? [value]
      : Array.from({ length: value.batch }, (_, index) => ({
          ...value,
          batch: 1,
          data: picture(value, index),
        })),
  );
}

/** Joins pictures of one size into one batch. */
export function joinBatches<T extends Image | Mask>(
  values: readonly T[],
  memory: Memory,
  checkpoint: Checkpoint = never,
): T {
  const [first] = values;
  if (first === undefined) throw valueError('There is no picture to put into the batch.');
  if (values.length === 1) return first;
  const size = first.data.length / first.batch;
  for (const value of values) {
    const sameChannels =
      'channels' in value === 'channels' in first && channelsOf(value) === channelsOf(first);
    if (value.width === first.width && value.height === first.height && sameChannels) continue;
    throw new NodeError(
      'RuntimeError',
      `Pictures of one batch must have one size: ${described(first)} and ${described(value)}.`,
    );
  }
  const batch = values.reduce((sum, value) => sum + value.batch, 0);
  const result = newLike(memory, first, { batch });
  let at = 0;
  for (const value of values) {
    checkpoint();
    result.data.set(value.data, at * size);
    at += value.batch;
  }
  return result;
}

function described(value: Image | Mask): string {
  return `${value.width} × ${value.height} with ${channelsOf(value)} channel(s)`;
}

/** Keeps the first channels, or adds channels of 1, which is opaque. */
export function withChannels(
  image: Image,
  channels: number,
  memory: Memory,
  checkpoint: Checkpoint = never,
): Image {
  if (image.channels === channels) return image;
  const result = newImage(memory, { ...image, channels });
  const { data } = result;
  const kept = Math.min(channels, image.channels);
  const rowLength = image.width * channels;
  for (let from = 0, to = 0; to < data.length; from += image.channels, to += channels) {
    if (to % rowLength === 0) checkpoint();
    for (let channel = 0; channel < kept; channel++) data[to + channel] = image.data[from + channel] ?? 0;
    for (let channel = kept; channel < channels; channel++) data[to + channel] = 1;
  }
  return result;
}

export function toGrayImage(mask: Mask, memory: Memory, checkpoint: Checkpoint): Image {
  const image = newImage(memory, { ...mask, channels: 3 });
  for (let from = 0, to = 0; from < mask.data.length; from++) {
    if (from % mask.width === 0) checkpoint();
    const value = mask.data[from] ?? 0;
    for (const end = to + 3; to < end; to++) image.data[to] = value;
  }
  return image;
}

/** Copies a part of every picture. */
export function cropArea<T extends Image | Mask>(
  value: T,
  { x, y, width, height }: Area,
  memory: Memory,
  checkpoint?: Checkpoint,
): T {
  if (x === 0 && y === 0 && width === value.width && height === value.height) return value;
  if (width < 1 || height < 1) throw valueError('Nothing is left of the picture after cropping.');
  const result = newLike(memory, value, { width, height });
  copyInto(value, { x, y, width, height }, result, 0, 0, checkpoint);
  return result;
}

/** Copies a part of every picture into the pictures of `target`. */
export function copyInto(
  source: Image | Mask,
  area: Area,
  target: Image | Mask,
  x: number,
  y: number,
  checkpoint: Checkpoint = never,
): void {
  const channels = channelsOf(source);
  const length = area.width * channels;
  for (let index = 0; index < source.batch; index++) {
    checkpoint();
    for (let row = 0; row < area.height; row++) {
      const from = ((index * source.height + area.y + row) * source.width + area.x) * channels;
      const to = ((index * target.height + y + row) * target.width + x) * channels;
      target.data.set(source.data.subarray(from, from + length), to);
    }
  }
}
