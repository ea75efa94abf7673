const BINS = 256;

/** Counts the values of one channel in 256 bins. NaN falls into the first. */
export function countBins(source: Float32Array, channel: number, channels: number, bins: Float64Array): void {
  for (let index = channel; index < source.length; index += channels) {
    const bin = binOf(source[index] as number);
    bins[bin] = (bins[bin] as number) + 1;
  }
}

export function newBins(): Float64Array {
  return new Float64Array(BINS);
}

function binOf(value: number): number {
  const scaled = Math.fround(value * (BINS - 1));
  if (!(scaled > 0) || scaled === Number.POSITIVE_INFINITY) return 0;
  return scaled >= BINS ? BINS - 1 : Math.trunc(scaled);
}

/** For each bin of the source, the level at which the reference has the same share of values. */
export function matchLevels(source: Float64Array, reference: Float64Array): Float32Array {
  const from = shares(source);
  const to = shares(reference);
  let bin = 0;
  return from.map((share) => {
    while (bin < BINS - 1 && (to[bin] as number) < share) bin++;
    return bin / (BINS - 1);
  });
}

function shares(bins: Float64Array): Float32Array {
  const total = bins.reduce((sum, count) => sum + count, 0);
  let sum = 0;
  return Float32Array.from(bins, (count) => (sum += count) / total);
}

export interface LevelOptions {
  readonly channel: number;
  readonly channels: number;
  readonly levels: Float32Array;
  readonly strength: number;
}

/** Replaces the values of one channel by the levels of their bins, as far as `strength` says. */
export function applyLevels(
  pixels: Float32Array,
  { channel, channels, levels, strength }: LevelOptions,
): void {
  for (let index = channel; index < pixels.length; index += channels) {
    const value = pixels[index] as number;
    const level = levels[binOf(value)] as number;
    const mixed = strength === 1 ? level : value + strength * (level - value);
    pixels[index] = mixed < 0 ? 0 : mixed > 1 ? 1 : mixed;
  }
}
