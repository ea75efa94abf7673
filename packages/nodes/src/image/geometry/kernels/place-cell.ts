import type { Image } from '../../../values/image.ts';

/** Copies the colors of a picture into a larger one of three channels. Gray fills all three, and alpha is left out. */
export function placeCell(cell: Image, target: Image, x: number, y: number): void {
  const { width, height, channels, data } = cell;
  const second = channels < 3 ? 0 : 1;
  const third = channels < 3 ? 0 : 2;
  for (let row = 0; row < height; row++) {
    let to = ((y + row) * target.width + x) * 3;
    const end = (row + 1) * width * channels;
    for (let from = row * width * channels; from < end; from += channels, to += 3) {
      target.data[to] = data[from] ?? 0;
      target.data[to + 1] = data[from + second] ?? 0;
      target.data[to + 2] = data[from + third] ?? 0;
    }
  }
}
