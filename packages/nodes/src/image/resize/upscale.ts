import { valueError } from '@atelier/engine';
import { roundHalfEven } from '../../values/arithmetic.ts';
import { type Image, type Mask, picture } from '../../values/image.ts';
import { type Area, channelsOf, cropArea, newLike } from '../batch.ts';
import { areaAverage } from './area.ts';
import { interpolate, nearestExact } from './interpolate.ts';
import { type BytesShape, lanczosFloats, type PixelSize, type ResizeTools } from './pillow-resize.ts';

export type UpscaleMethod = 'nearest-exact' | 'bilinear' | 'area' | 'bicubic' | 'lanczos';

export interface UpscaleOptions extends PixelSize {
  readonly method: UpscaleMethod;
  /** `center` crops the source to the new proportions first. */
  readonly crop?: 'disabled' | 'center';
}

interface UpscaleTools extends ResizeTools {
  /** Called after each picture of the batch. */
  readonly progress?: (value: number, max: number) => void;
}

/** Resizes every picture of a batch. */
export function upscale<T extends Image | Mask>(
  value: T,
  { width, height, method, crop = 'disabled' }: UpscaleOptions,
  tools: UpscaleTools,
): T {
  if (!(width >= 1 && height >= 1)) {
    throw valueError(`Cannot resize to ${width} × ${height}: both sides must be at least 1.`);
  }
  const unchanged = width === value.width && height === value.height;
  // Lanczos reduces even pictures of the same size to 8 bits.
  if (unchanged && method !== 'lanczos') return value;
  const { memory, progress } = tools;
  const size = { width, height };
  const area = crop === 'center' ? centreCrop(value, size) : wholeOf(value);
  if (area.width < 1 || area.height < 1) {
    throw valueError(
      `A picture of ${value.width} × ${value.height} cannot be cropped to the proportions of ${width} × ${height}.`,
    );
  }
  const result = newLike(memory, value, size);
  const shape = { width: area.width, height: area.height, channels: channelsOf(value) };
  const whole = area.width === value.width && area.height === value.height;
  const cut = whole ? undefined : cropArea(value, area, memory, tools.checkpoint);
  for (let index = 0; index < value.batch; index++) {
    const source = picture(cut ?? value, index);
    const target = picture(result, index);
    resize(source, shape, target, { ...size, method }, tools);
    progress?.(index + 1, value.batch);
  }
  if (cut) memory.free(cut.data);
  return result;
}

function wholeOf({ width, height }: PixelSize): Area {
  return { x: 0, y: 0, width, height };
}

/** The middle part with the proportions of `size`. */
function centreCrop(source: PixelSize, size: PixelSize): Area {
  const { width, height } = source;
  const oldAspect = width / height;
  const newAspect = size.width / size.height;
  if (oldAspect > newAspect) {
    const x = roundHalfEven((width - width * (newAspect / oldAspect)) / 2);
    return { x, y: 0, width: width - 2 * x, height };
  }
  if (oldAspect < newAspect) {
    const y = roundHalfEven((height - height * (oldAspect / newAspect)) / 2);
    return { x: 0, y, width, height: height - 2 * y };
  }
  return wholeOf(source);
}

function resize(
  source: Float32Array,
  shape: BytesShape,
  target: Float32Array,
  { method, ...size }: PixelSize & { readonly method: UpscaleMethod },
  tools: ResizeTools,
): void {
  switch (method) {
    case 'lanczos':
      return lanczosFloats(source, shape, target, size, tools);
    case 'area':
      return areaAverage(source, shape, target, size, tools);
    case 'bilinear':
    case 'bicubic':
      return interpolate(source, shape, target, { ...size, method }, tools);
    case 'nearest-exact':
      return nearest(source, shape, target, size, tools);
  }
}

function nearest(
  source: Float32Array,
  { width, height, channels }: BytesShape,
  target: Float32Array,
  size: PixelSize,
  { checkpoint }: ResizeTools,
): void {
  const columns = nearestExact(width, size.width);
  const rows = nearestExact(height, size.height);
  const length = size.width * channels;
  let last = -1;
  for (let y = 0; y < size.height; y++) {
    if ((y & 15) === 0) checkpoint();
    const row = rows[y] ?? 0;
    const to = y * length;
    if (row === last) target.copyWithin(to, to - length, to);
    else pickColumns(source, row * width * channels, columns, channels, target, to);
    last = row;
  }
}

function pickColumns(
  source: Float32Array,
  from: number,
  columns: Int32Array,
  channels: number,
  target: Float32Array,
  to: number,
): void {
  for (let x = 0; x < columns.length; x++) {
    const pixel = from + (columns[x] ?? 0) * channels;
    for (let channel = 0; channel < channels; channel++) target[to++] = source[pixel + channel] ?? 0;
  }
}
