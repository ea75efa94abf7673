import { floatRepr } from '@atelier/engine';
import { exponentText, fixedText } from './float-text.ts';

/** Pictures, masks and latents as ComfyUI prints them. */
export interface Tensor {
  readonly shape: readonly number[];
  readonly data: Float32Array;
}

const EDGE_ITEMS = 6;
const SUMMARY_ABOVE = 1000;
const LINE_WIDTH = 80;
const DIGITS = 4;
const PREFIX = 'tensor(';

/** A picture or mask as a tensor. */
export function tensorOf(value: unknown): Tensor | undefined {
  return tensorWith(value, ['batch', 'height', 'width', 'channels']);
}

/** The samples of a latent as a tensor: channels come before rows. */
export function latentTensor(value: unknown): Tensor | undefined {
  if (typeof value !== 'object' || value === null || !('samples' in value)) return undefined;
  return tensorWith(value.samples, ['batch', 'channels', 'height', 'width']);
}

function tensorWith(value: unknown, axes: readonly string[]): Tensor | undefined {
  if (typeof value !== 'object' || value === null || !('data' in value)) return undefined;
  const { data } = value;
  if (!(data instanceof Float32Array)) return undefined;
  const sizes = new Map(Object.entries(value));
  const shape = axes.map((axis) => sizes.get(axis)).filter((size) => typeof size === 'number');
  return shape.length >= 3 && shape.reduce((a, b) => a * b, 1) === data.length ? { shape, data } : undefined;
}

/** `str` of a tensor: rows of numbers in one format, without the middle if there are many. */
export function tensorText({ shape, data }: Tensor): string {
  if (data.length === 0) return `${PREFIX}[], size=(${shape.join(', ')}))`;
  const summarize = data.length > SUMMARY_ABOVE;
  const strides = shape.map((_, axis) => shape.slice(axis + 1).reduce((a, b) => a * b, 1));
  const shown: number[] = [];
  collect(0, 0);
  const format = chooseFormat(shown);

  /** Indices along an axis; `undefined` marks the gap. */
  function indices(size: number): readonly (number | undefined)[] {
    const all = (from: number, to: number): number[] =>
      Array.from({ length: to - from }, (_, index) => from + index);
    if (!summarize || size <= 2 * EDGE_ITEMS) return all(0, size);
    return [...all(0, EDGE_ITEMS), undefined, ...all(size - EDGE_ITEMS, size)];
  }

  function collect(axis: number, offset: number): void {
    if (axis === shape.length) {
      shown.push(data[offset] ?? 0);
      return;
    }
    for (const index of indices(shape[axis] ?? 0)) {
      if (index !== undefined) collect(axis + 1, offset + index * (strides[axis] ?? 1));
    }
  }

  function write(axis: number, offset: number, indent: number): string {
    const last = axis === shape.length - 1;
    const parts = indices(shape[axis] ?? 0).map((index) => {
      if (index === undefined) return last ? ' ...' : '...';
      const at = offset + index * (strides[axis] ?? 1);
      return last ? format.text(data[at] ?? 0) : write(axis + 1, at, indent + 1);
    });
    const margin = ' '.repeat(indent + 1);
    if (!last) return `[${parts.join(`,${'\n'.repeat(shape.length - axis - 1)}${margin}`)}]`;
    const perLine = Math.max(1, Math.floor((LINE_WIDTH - indent) / (format.width + 2)));
    const lines: string[] = [];
    for (let from = 0; from < parts.length; from += perLine)
      lines.push(parts.slice(from, from + perLine).join(', '));
    return `[${lines.join(`,\n${margin}`)}]`;
  }

  return `${PREFIX}${write(0, 0, PREFIX.length)})`;
}

/** One format for all numbers: whole, fixed digits, or an exponent if they are far apart. */
function chooseFormat(values: readonly number[]) {
  const counted = values.filter((value) => Number.isFinite(value) && value !== 0);
  const magnitudes = counted.map(Math.abs);
  const max = magnitudes.reduce((a, b) => Math.max(a, b), 0);
  const min = magnitudes.reduce((a, b) => Math.min(a, b), Infinity);
  const whole = counted.every((value) => Number.isInteger(value));
  const far = counted.length > 0 && (max / min > 1000 || max > 1e8 || (!whole && min < 1e-4));
  const magnitudeText = far
    ? (value: number): string => exponentText(value, DIGITS)
    : whole
      ? (value: number): string => `${fixedText(value, 0)}.`
      : (value: number): string => fixedText(value, DIGITS);
  const plain = (value: number): string => {
    if (!Number.isFinite(value)) return floatRepr(value);
    return (value < 0 || Object.is(value, -0) ? '-' : '') + magnitudeText(Math.abs(value));
  };
  const width = counted.reduce((widest, value) => Math.max(widest, plain(value).length), 1);
  return { width, text: (value: number) => plain(value).padStart(width) };
}
