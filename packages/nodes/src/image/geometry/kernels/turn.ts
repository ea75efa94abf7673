import type { Image } from '../../../values/image.ts';

/** Pixels of both pictures of so many rows and columns fit the cache together. */
const TILE = 32;

/** Turns one picture clockwise by a quarter, or counter-clockwise. `target` is as wide as the source is high. */
export function quarterTurn(
  source: Float32Array,
  { width, height, channels }: Image,
  target: Float32Array,
  clockwise: boolean,
  checkpoint: () => void,
): void {
  for (let top = 0; top < height; top += TILE) {
    checkpoint();
    for (let left = 0; left < width; left += TILE) {
      const bottom = Math.min(top + TILE, height);
      const right = Math.min(left + TILE, width);
      for (let x = left; x < right; x++) {
        const row = clockwise ? x : width - 1 - x;
        for (let y = top; y < bottom; y++) {
          const from = (y * width + x) * channels;
          const to = (row * height + (clockwise ? height - 1 - y : y)) * channels;
          for (let channel = 0; channel < channels; channel++)
            target[to + channel] = source[from + channel] ?? 0;
        }
      }
    }
  }
}

/** Swaps left and right, top and bottom, or both, of one picture. */
export function mirror(
  source: Float32Array,
  { width, height, channels }: Image,
  target: Float32Array,
  { across, down }: { readonly across: boolean; readonly down: boolean },
  checkpoint: () => void,
): void {
  const length = width * channels;
  for (let y = 0; y < height; y++) {
    if (y % TILE === 0) checkpoint();
    const from = y * length;
    const to = (down ? height - 1 - y : y) * length;
    if (across) mirrorRow(source, from, target, to, width, channels);
    else target.set(source.subarray(from, from + length), to);
  }
}

function mirrorRow(
  source: Float32Array,
  from: number,
  target: Float32Array,
  to: number,
  width: number,
  channels: number,
): void {
  for (let x = 0; x < width; x++) {
    const pixel = from + x * channels;
    const place = to + (width - 1 - x) * channels;
    for (let channel = 0; channel < channels; channel++)
      target[place + channel] = source[pixel + channel] ?? 0;
  }
}
