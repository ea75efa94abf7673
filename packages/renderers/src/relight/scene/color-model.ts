/** Lightness, the two color axes and the place of every pixel, one after another. */
export type Features = Float32Array;

export const FEATURES = 5;

/** What a region looks like: clusters of color and place. Per cluster the centers, the inverse spreads and a cost. */
export interface ColorModel {
  readonly count: number;
  readonly numbers: Float64Array;
}

const STRIDE = 2 * FEATURES + 1;
const ROUNDS = 4;
/** Enough to tell colors apart, few enough to be quick. */
const MOST_SAMPLES = 3000;
/** The least spread along each axis: nothing is told apart by less. */
const LEAST: readonly number[] = [0.0012, 0.0003, 0.0003, 0.05, 0.05];

/** The clusters of the pixels whose weight is above one half. */
export function modelColors(features: Features, weights: Float32Array, count: number): ColorModel {
  const chosen = samplesOf(weights);
  const sums = new Float64Array(count * STRIDE);
  const centers = firstCenters(features, chosen, count);
  if (chosen.length === 0) return { count: 0, numbers: sums };
  for (let round = 0; round < ROUNDS; round++) {
    sums.fill(0);
    for (const pixel of chosen) {
      const at = pixel * FEATURES;
      const base = nearest(centers, count, features, at) * STRIDE;
      sums[base] = (sums[base] ?? 0) + 1;
      for (let axis = 0; axis < FEATURES; axis++) {
        const value = features[at + axis] ?? 0;
        sums[base + 1 + axis] = (sums[base + 1 + axis] ?? 0) + value;
        sums[base + 1 + FEATURES + axis] = (sums[base + 1 + FEATURES + axis] ?? 0) + value * value;
      }
    }
    for (let n = 0; n < count; n++) {
      const many = sums[n * STRIDE] ?? 0;
      if (many === 0) continue;
      for (let axis = 0; axis < FEATURES; axis++)
        centers[n * FEATURES + axis] = (sums[n * STRIDE + 1 + axis] ?? 0) / many;
    }
  }
  return toModel(sums, count, chosen.length);
}

/** How badly the model explains a pixel: a squared distance in units of spread, and the cost of a rare cluster. */
export function misfit({ count, numbers }: ColorModel, features: Features, pixel: number): number {
  const at = pixel * FEATURES;
  let least = 60;
  for (let n = 0, base = 0; n < count; n++, base += STRIDE) {
    let off = numbers[base] ?? 0;
    for (let axis = 0; axis < FEATURES; axis++) {
      const apart = (features[at + axis] ?? 0) - (numbers[base + 1 + axis] ?? 0);
      off += apart * apart * (numbers[base + 1 + FEATURES + axis] ?? 0);
    }
    if (off < least) least = off;
  }
  return least;
}

function samplesOf(weights: Float32Array): Int32Array {
  let many = 0;
  for (let at = 0; at < weights.length; at++) if ((weights[at] ?? 0) > 0.5) many++;
  const step = Math.max(1, Math.ceil(many / MOST_SAMPLES));
  const chosen = new Int32Array(Math.ceil(many / step));
  let seen = 0;
  for (let at = 0; at < weights.length; at++) {
    if ((weights[at] ?? 0) <= 0.5) continue;
    if (seen % step === 0) chosen[seen / step] = at;
    seen++;
  }
  return chosen;
}

/** Each as far as can be from those before it. */
function firstCenters(features: Features, chosen: Int32Array, count: number): Float64Array {
  const centers = new Float64Array(count * FEATURES);
  const distance = new Float32Array(chosen.length).fill(Number.POSITIVE_INFINITY);
  let next = Math.floor(chosen.length / 2);
  for (let n = 0; n < count; n++) {
    const from = (chosen[next] ?? 0) * FEATURES;
    for (let axis = 0; axis < FEATURES; axis++) centers[n * FEATURES + axis] = features[from + axis] ?? 0;
    let furthest = -1;
    for (let index = 0; index < chosen.length; index++) {
      const apart = squared(centers, n * FEATURES, features, (chosen[index] ?? 0) * FEATURES);
      if (apart < (distance[index] ?? 0)) distance[index] = apart;
      if ((distance[index] ?? 0) > furthest) {
        furthest = distance[index] ?? 0;
        next = index;
      }
    }
  }
  return centers;
}

function nearest(centers: Float64Array, count: number, features: Features, at: number): number {
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let n = 0; n < count; n++) {
    const apart = squared(centers, n * FEATURES, features, at);
    if (apart >= least) continue;
    least = apart;
    best = n;
  }
  return best;
}

/** Colors count more than lightness, which shading changes, and place counts least. */
function squared(centers: Float64Array, base: number, features: Features, at: number): number {
  const light = (features[at] ?? 0) - (centers[base] ?? 0);
  const first = (features[at + 1] ?? 0) - (centers[base + 1] ?? 0);
  const second = (features[at + 2] ?? 0) - (centers[base + 2] ?? 0);
  const across = (features[at + 3] ?? 0) - (centers[base + 3] ?? 0);
  const down = (features[at + 4] ?? 0) - (centers[base + 4] ?? 0);
  return light * light + 5 * (first * first + second * second) + 0.08 * (across * across + down * down);
}

function toModel(sums: Float64Array, count: number, total: number): ColorModel {
  const numbers = new Float64Array(count * STRIDE);
  let kept = 0;
  for (let n = 0; n < count; n++) {
    const from = n * STRIDE;
    const many = sums[from] ?? 0;
    if (many < 2) continue;
    const to = kept++ * STRIDE;
    let cost = 26 - 2 * Math.log(many / total);
    for (let axis = 0; axis < FEATURES; axis++) {
      const mean = (sums[from + 1 + axis] ?? 0) / many;
      const variance = (sums[from + 1 + FEATURES + axis] ?? 0) / many - mean * mean;
      const spread = Math.max(LEAST[axis] ?? 0, variance);
      numbers[to + 1 + axis] = mean;
      numbers[to + 1 + FEATURES + axis] = 1 / spread;
      cost += Math.log(spread);
    }
    numbers[to] = cost;
  }
  return { count: kept, numbers };
}
