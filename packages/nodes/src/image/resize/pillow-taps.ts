/** Pillow's reconstruction filters that nodes use. */
export type PillowFilter = keyof typeof FILTERS;

export type Taps = ReturnType<typeof pillowTaps>;

/** 8 bits for the value and 2 for overshoot and sign leave 22 of a 32-bit sum for the fraction. */
export const FRACTION_BITS = 22;

const FILTERS = {
  bilinear: { radius: 1, weight: (x: number) => Math.max(0, 1 - Math.abs(x)) },
  lanczos: { radius: 3, weight: (x: number) => (x >= -3 && x < 3 ? sinc(x) * sinc(x / 3) : 0) },
};

function sinc(x: number): number {
  if (x === 0) return 1;
  const angle = x * Math.PI;
  return Math.sin(angle) / angle;
}

/**
 * For every output position: where its window begins, how long it is, and its weights in 22-bit fixed point. Every position has
 * `stride` weights, an even number; those past its count are 0.
 */
export function pillowTaps(inSize: number, outSize: number, filter: PillowFilter) {
  const { radius, weight } = FILTERS[filter];
  const scale = inSize / outSize;
  const widening = Math.max(1, scale);
  const support = radius * widening;
  const most = Math.min(inSize, Math.ceil(support) * 2 + 1);
  const stride = most + (most % 2);
  const starts = new Int32Array(outSize);
  const counts = new Int32Array(outSize);
  const weights = new Int32Array(outSize * stride);
  const window = new Float64Array(stride);
  const shrink = 1 / widening;
  for (let position = 0; position < outSize; position++) {
    const centre = (position + 0.5) * scale;
    const start = Math.max(0, Math.trunc(centre - support + 0.5));
    const count = Math.min(inSize, Math.trunc(centre + support + 0.5)) - start;
    let sum = 0;
    for (let tap = 0; tap < count; tap++) {
      const value = weight((tap + start - centre + 0.5) * shrink);
      window[tap] = value;
      sum += value;
    }
    starts[position] = start;
    counts[position] = count;
    for (let tap = 0; tap < count; tap++) {
      const share = (window[tap] ?? 0) / (sum === 0 ? 1 : sum);
      weights[position * stride + tap] = Math.trunc(share * 2 ** FRACTION_BITS + (share < 0 ? -0.5 : 0.5));
    }
  }
  return { starts, counts, weights, stride };
}
