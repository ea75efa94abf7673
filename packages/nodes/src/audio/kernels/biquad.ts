/** Coefficients of a second-order filter, float32, divided by `a0`. */
export interface Biquad {
  readonly b0: number;
  readonly b1: number;
  readonly b2: number;
  readonly a1: number;
  readonly a2: number;
}

interface Band {
  readonly sampleRate: number;
  readonly frequency: number;
  readonly gainDb: number;
  readonly q: number;
}

const SAMPLES_PER_CHECK = 1 << 16;
const { fround } = Math;

/** Raises or lowers everything below the frequency. */
export function lowShelf(band: Band): Biquad {
  return shelf(band, 1);
}

/** Raises or lowers everything above the frequency: the same with a negative cosine. */
export function highShelf(band: Band): Biquad {
  return shelf(band, -1);
}

function shelf(band: Band, side: 1 | -1): Biquad {
  const { a, alpha, cosine } = common(band);
  const ripple = fround(fround(2 * fround(Math.sqrt(a))) * alpha);
  const [plus, minus] = [fround(a + 1), fround(a - 1)];
  const less = side * fround(minus * cosine);
  const more = side * fround(plus * cosine);
  return normal({
    b0: fround(a * fround(fround(plus - less) + ripple)),
    b1: fround(side * fround(2 * a) * fround(minus - more)),
    b2: fround(a * fround(fround(plus - less) - ripple)),
    a0: fround(fround(plus + less) + ripple),
    a1: fround(-2 * side * fround(minus + more)),
    a2: fround(fround(plus + less) - ripple),
  });
}

export function peak(band: Band): Biquad {
  const { a, alpha, cosine } = common(band);
  const up = fround(alpha * a);
  const down = fround(alpha / a);
  return normal({
    b0: fround(1 + up),
    b1: fround(-2 * cosine),
    b2: fround(1 - up),
    a0: fround(1 + down),
    a1: fround(-2 * cosine),
    a2: fround(1 - down),
  });
}

/**
 * Filters `source` into `target`, which may be the same array, and clips to −1 to 1. The order of roundings is that of
 * PyTorch: through the feedback, another order would change the fifth digit.
 */
export function applyBiquad(
  source: Float32Array,
  target: Float32Array,
  { b0, b1, b2, a1, a2 }: Biquad,
  checkpoint: () => void,
): void {
  let x1 = 0;
  let x2 = 0;
  let y1 = 0;
  let y2 = 0;
  for (let n = 0; n < source.length; n += 1) {
    if (n % SAMPLES_PER_CHECK === 0) checkpoint();
    const x = source[n] as number;
    const forward = fround(b0 * x + fround(b1 * x1 + fround(b2 * x2)));
    const y = fround(fround(forward - fround(y2 * a2)) - fround(y1 * a1));
    x2 = x1;
    x1 = x;
    y2 = y1;
    y1 = y;
    target[n] = y > 1 ? 1 : y < -1 ? -1 : y;
  }
}

function common({ sampleRate, frequency, gainDb, q }: Band): { a: number; alpha: number; cosine: number } {
  const w0 = fround(fround(fround(2 * Math.PI) * frequency) / sampleRate);
  const alpha = fround(fround(fround(Math.sin(w0)) / 2) / fround(q));
  const a = fround(Math.exp(fround(fround(fround(gainDb) / 40) * fround(Math.LN10))));
  return { a, alpha, cosine: fround(Math.cos(w0)) };
}

function normal({ a0, ...rest }: Biquad & { readonly a0: number }): Biquad {
  return {
    b0: fround(rest.b0 / a0),
    b1: fround(rest.b1 / a0),
    b2: fround(rest.b2 / a0),
    a1: fround(rest.a1 / a0),
    a2: fround(rest.a2 / a0),
  };
}
