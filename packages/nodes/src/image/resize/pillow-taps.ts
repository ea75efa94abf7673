/** Pillow's reconstruction filters that average over a window; NEAREST is not one of them. */
export type PillowFilter = 'box' | 'bilinear' | 'hamming' | 'bicubic' | 'lanczos';

export type Taps = ReturnType<typeof pillowTaps>;

/** 8 bits for the value and 2 for overshoot and sign leave 22 of a 32-bit sum for the fraction. */
export const FRACTION_BITS = 22;

interface Filter {
  readonly support: number;
  readonly weight: (x: number) => number;
}

const FILTERS: Readonly<Record<PillowFilter, Filter>> = {
  box: { support: 0.5, weight: (x) => (x > -0.5 && x <= 0.5 ? 1 : 0) },
  bilinear: { support: 1, weight: (x) => Math.max(0, 1 - Math.abs(x)) },
  hamming: {
    support: 1,
    weight: (x) => (Math.abs(x) >= 1 ? 0 : sinc(x) * (0.54 + 0.46 * Math.cos(x * Math.PI))),
  },
  bicubic: { support: 2, weight: (x) => cubic(Math.abs(x)) },
  lanczos: { support: 3, weight: (x) => (x >= -3 && x < 3 ? sinc(x) * sinc(x / 3) : 0) },
};

function sinc(x: number): number {
  if (x === 0) return 1;
  const angle = x * Math.PI;
  return Math.sin(angle) / angle;
}

function cubic(x: number): number {
  const a = -0.5;
  if (x < 1) return ((a + 2) * x - (a + 3)) * x * x + 1;
  if (x < 2) return (((x - 5) * x + 8) * x - 4) * a;
  return 0;
}

/**
 * For every output position: where its window begins, how long it is, and its weights in 22-bit fixed point. There are `stride` weights
 * for each output position, an even number; those past its count are 0.
 */
export function pillowTaps(inSize: number, outSize: number, filter: PillowFilter) {
  const { support: radius, weight } = FILTERS[filter];
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
