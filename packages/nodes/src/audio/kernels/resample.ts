import { fraction } from '../../values/arithmetic.ts';

/** Half the width of the low-pass filter, in zero crossings of the slower rate. */
const LOWPASS_WIDTH = 6;
const ROLLOFF = 0.99;
const SAMPLES_PER_CHECK = 1 << 16;
const { fround } = Math;

type Kernel = ReturnType<typeof makeKernel>;

/** Kept, because a job converts many channels between the same two rates. */
let latest: { readonly fromRate: number; readonly toRate: number; readonly kernel: Kernel } | undefined;

export function resampledLength(length: number, fromRate: number, toRate: number): number {
  const { num, den } = fraction(fromRate, toRate);
  return Math.ceil((den * length) / num);
}

/**
 * Changes the sample rate with a sinc low-pass under a Hann window. `target` has `resampledLength` samples. The source is
 * silent before its start and after its end.
 */
export function resample(
  source: Float32Array,
  target: Float32Array,
  { fromRate, toRate }: { readonly fromRate: number; readonly toRate: number },
  checkpoint: () => void,
): void {
  const { from, to, firsts, lengths, offsets, taps } = kernelOf(fromRate, toRate);
  const last = source.length;
  let phase = 0;
  let base = 0;
  for (let n = 0; n < target.length; n += 1) {
    if (n % SAMPLES_PER_CHECK === 0) checkpoint();
    const start = base + (firsts[phase] ?? 0);
    const offset = (offsets[phase] ?? 0) - start;
    const begin = start < 0 ? 0 : start;
    const stop = start + (lengths[phase] ?? 0);
    const end = stop > last ? last : stop;
    let sum = 0;
    for (let k = begin; k < end; k += 1) sum += (source[k] as number) * (taps[offset + k] as number);
    target[n] = sum;
    phase += 1;
    if (phase === to) {
      phase = 0;
      base += from;
    }
  }
}

function kernelOf(fromRate: number, toRate: number): Kernel {
  if (latest?.fromRate !== fromRate || latest.toRate !== toRate) {
    latest = { fromRate, toRate, kernel: makeKernel(fromRate, toRate) };
  }
  return latest.kernel;
}

/**
 * Output sample `n` is the sum of `taps[phase]` over the input from `firsts[phase] + step · from` on. `from` and `to` are the
 * rates without their common divisor. Computed in float32 step by step, as in the published filter; taps outside the window
 * are left out.
 */
function makeKernel(fromRate: number, toRate: number) {
  const { num: from, den: to } = fraction(fromRate, toRate);
  const base = Math.min(from, to) * ROLLOFF;
  const width = Math.ceil((LOWPASS_WIDTH * from) / base);
  const reach = Math.ceil((LOWPASS_WIDTH * from) / base) + 1;
  const firsts = new Int32Array(to);
  const lengths = new Int32Array(to);
  const offsets = new Int32Array(to);
  const taps = new Float32Array(to * (2 * reach + 2));
  let used = 0;
  for (let phase = 0; phase < to; phase += 1) {
    const centre = (phase * from) / to;
    const first = Math.max(-width, Math.floor(centre) - reach);
    const end = Math.min(width + from, Math.ceil(centre) + reach + 1);
    firsts[phase] = first;
    lengths[phase] = end - first;
    offsets[phase] = used;
    const shift = fround(-phase / to);
    for (let k = first; k < end; k += 1) {
      taps[used] = tapAt(fround(shift + fround(k / from)), base, from);
      used += 1;
    }
  }
  return { from, to, firsts, lengths, offsets, taps };
}

function tapAt(time: number, base: number, from: number): number {
  const t = Math.min(LOWPASS_WIDTH, Math.max(-LOWPASS_WIDTH, fround(time * fround(base))));
  const angle = fround(fround(fround(t * fround(Math.PI)) / LOWPASS_WIDTH) / 2);
  const cosine = fround(Math.cos(angle));
  const window = fround(cosine * cosine);
  const x = fround(t * fround(Math.PI));
  const sinc = x === 0 ? 1 : fround(fround(Math.sin(x)) / x);
  return fround(sinc * fround(window * fround(base / from)));
}
