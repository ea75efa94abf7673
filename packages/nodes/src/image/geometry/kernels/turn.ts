import type { Image } from '../../../values/image.ts';

/** Turns one picture. `target` has its size, or that of the rotated picture. */
export type Turn = (source: Float32Array, shape: Image, target: Float32Array, checkpoint: () => void) => void;

/** Rows and columns of both pictures that fit the cache together. */
const TILE = 32;

/** Turns by a quarter. */
export function quarterTurned(clockwise: boolean): Turn {
  return moving(({ width, height }, x, y) =>
    clockwise ? x * height + height - 1 - y : (width - 1 - x) * height + y,
  );
}

/** Mirrors left and right, top and bottom, or both. */
export function mirrored({ across, down }: { readonly across: boolean; readonly down: boolean }): Turn {
  return moving(
    ({ width, height }, x, y) => (down ? height - 1 - y : y) * width + (across ? width - 1 - x : x),
  );
}

function moving(placeOf: (shape: Image, x: number, y: number) => number): Turn {
  return (source, shape, target, checkpoint) => {
    const { width, height, channels } = shape;
    for (let top = 0; top < height; top += TILE) {
      checkpoint();
      for (let left = 0; left < width; left += TILE) {
        for (let y = top; y < Math.min(top + TILE, height); y++) {
          for (let x = left; x < Math.min(left + TILE, width); x++) {
            const from = (y * width + x) * channels;
            const to = placeOf(shape, x, y) * channels;
            for (let channel = 0; channel < channels; channel++)
              target[to + channel] = source[from + channel] as number;
          }
        }
      }
    }
  };
}
