import type { BytesShape } from '../../resize/pillow-resize.ts';
import { vectorFloats } from '../../simd/vector-memory.ts';
import { SUM_STEP, weightedSum } from '../../simd/weighted-sum.ts';

/**
 * The weights along one axis, whose products are ComfyUI's two-dimensional weights. `sigma` is in halves of the kernel's
 * width, not in pixels.
 */
export function gaussianWeights(radius: number, sigma: number): Float32Array {
  const weights = Float64Array.from({ length: 2 * radius + 1 }, (_, index) => {
    const x = (index - radius) / radius;
    return Math.exp(-(x * x) / (2 * sigma * sigma));
  });
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return Float32Array.from(weights, (weight) => weight / total);
}

/**
 * Convolves a picture with the weights down and across. Edges are mirrored and not repeated, so the radius must be less than
 * both sizes.
 */
export function blur(
  source: Float32Array,
  target: Float32Array,
  { height, width, channels }: BytesShape,
  weights: Float32Array,
  checkpoint: () => void,
): void {
  const taps = weights.length;
  const radius = (taps - 1) / 2;
  const rowLength = width * channels;
  const margin = radius * channels;
  const stride = Math.ceil(rowLength / SUM_STEP) * SUM_STEP;
  const padded = taps * stride;
  const result = padded + Math.ceil((rowLength + 2 * margin + SUM_STEP) / SUM_STEP) * SUM_STEP;
  const table = result + stride;
  const floats = vectorFloats(table + 2 * taps);
  const addresses = new Int32Array(floats.buffer);
  weights.forEach((weight, tap) => {
    floats[table + 2 * tap + 1] = weight;
  });
  const sum = (to: number): void => weightedSum(to * 4, table * 4, (table + 2 * taps) * 4, rowLength * 4);

  for (let y = 0, loaded = 0; y < height; y++) {
    for (; loaded < height && loaded <= y + radius; loaded++) {
      const start = loaded * rowLength;
      floats.set(source.subarray(start, start + rowLength), (loaded % taps) * stride);
    }
    for (let tap = 0; tap < taps; tap++) {
      addresses[table + 2 * tap] = (mirrored(y + tap - radius, height) % taps) * stride * 4;
    }
    sum(padded + margin);
    mirrorEnds(floats, padded, width, channels, radius);
    for (let tap = 0; tap < taps; tap++) addresses[table + 2 * tap] = (padded + tap * channels) * 4;
    sum(result);
    target.set(floats.subarray(result, result + rowLength), y * rowLength);
    if ((y & 15) === 0) checkpoint();
  }
}

/** The pixel that mirrors an index beyond the edge, which is not repeated. */
export function mirrored(index: number, size: number): number {
  if (index < 0) return -index;
  return index < size ? index : 2 * (size - 1) - index;
}

function mirrorEnds(
  floats: Float32Array,
  start: number,
  width: number,
  channels: number,
  radius: number,
): void {
  const first = start + radius * channels;
  const last = first + (width - 1) * channels;
  for (let step = 1; step <= radius; step++) {
    const offset = step * channels;
    floats.copyWithin(first - offset, first + offset, first + offset + channels);
    floats.copyWithin(last + offset, last - offset, last - offset + channels);
  }
}
