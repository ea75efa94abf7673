import type { Image } from '../../../values/image.ts';
import type { Area } from '../../batch.ts';

const MIN_WEIGHT = 1e-5;
const PI = Math.fround(Math.PI);

/** The weight of each row or column of a tile: half a sine wave in float32, or constant. */
export function tileWeights(length: number, faded: boolean): Float32Array {
  if (!faded) return new Float32Array(length).fill(1);
  const step = Math.fround(1 / (length - 1));
  return Float32Array.from({ length }, (_, index) => {
    if (length === 1) return MIN_WEIGHT;
    const fromStart = index < length / 2;
    // Both ends are exact, because the second half is computed from the end.
    const position = fromStart ? Math.fround(step * index) : Math.fround(1 - step * (length - 1 - index));
    return Math.max(MIN_WEIGHT, Math.sin(Math.fround(PI * position)));
  });
}

/** Adds a weighted tile to every picture of `target`, and its weights to `sums`. */
export function addTile(
  tile: Image,
  target: Image,
  sums: Float32Array,
  { area, across, down }: { readonly area: Area; readonly across: Float32Array; readonly down: Float32Array },
): void {
  const rows = Math.min(area.height, tile.height);
  const columns = Math.min(area.width, tile.width);
  const { channels } = target;
  for (let y = 0; y < rows; y++) {
    const line = (area.y + y) * target.width + area.x;
    for (let x = 0; x < columns; x++) {
      const weight = Math.fround((down[y] as number) * (across[x] as number));
      sums[line + x] = (sums[line + x] as number) + weight;
      for (let index = 0; index < target.batch; index++) {
        const from = (((tile.batch === 1 ? 0 : index) * tile.height + y) * tile.width + x) * channels;
        const to = (index * target.height * target.width + line + x) * channels;
        for (let channel = 0; channel < channels; channel++) {
          const value = Math.fround((tile.data[from + channel] as number) * weight);
          target.data[to + channel] = (target.data[to + channel] as number) + value;
        }
      }
    }
  }
}

/** Pixels without a tile stay black. */
export function divideByWeights(
  { data, channels, batch, width }: Image,
  sums: Float32Array,
  checkpoint: () => void,
): void {
  let at = 0;
  for (let index = 0; index < batch; index++) {
    for (let pixel = 0; pixel < sums.length; pixel++) {
      if (pixel % width === 0) checkpoint();
      const sum = sums[pixel] ?? 0;
      const weight = sum === 0 ? 1 : sum;
      for (let channel = 0; channel < channels; channel++, at++) data[at] = (data[at] ?? 0) / weight;
    }
  }
}
