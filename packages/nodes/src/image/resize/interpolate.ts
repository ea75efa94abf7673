import type { BytesShape, PixelSize, ResizeTools } from './pillow-resize.ts';

/** For every output position, the source positions it mixes and how much of each; `taps` of them. */
interface Mix {
  readonly taps: number;
  readonly sources: Int32Array;
  readonly shares: Float32Array;
}

/** Output position k takes source `positions[k]`: the nearest one by pixel centres, computed in float32. */
export function nearestExact(inSize: number, outSize: number): Int32Array {
  const scale = Math.fround(inSize / outSize);
  return Int32Array.from({ length: outSize }, (_, position) =>
    Math.min(Math.floor(Math.fround(Math.fround(position + 0.5) * scale)), inSize - 1),
  );
}

/**
 * Where an output position lies in the source, in float32. Which kernel PyTorch takes decides whether product and
 * difference are rounded once (`fused`) or twice; in wide pictures that is visible in the fifth digit.
 */
function sourcePosition(position: number, scale: number, fused: boolean): number {
  const product = (position + 0.5) * scale;
  return Math.fround((fused ? product : Math.fround(product)) - 0.5);
}

function linearMix(inSize: number, outSize: number, fused: boolean): Mix {
  const scale = Math.fround(inSize / outSize);
  const sources = new Int32Array(outSize * 2);
  const shares = new Float32Array(outSize * 2);
  for (let position = 0; position < outSize; position++) {
    const source = Math.max(0, sourcePosition(position, scale, fused));
    const first = Math.min(Math.floor(source), inSize - 1);
    const rest = Math.min(1, Math.fround(source - first));
    sources[position * 2] = first;
    sources[position * 2 + 1] = Math.min(first + 1, inSize - 1);
    shares[position * 2] = 1 - rest;
    shares[position * 2 + 1] = rest;
  }
  return { taps: 2, sources, shares };
}

function cubicMix(inSize: number, outSize: number): Mix {
  const scale = Math.fround(inSize / outSize);
  const sources = new Int32Array(outSize * 4);
  const shares = new Float32Array(outSize * 4);
  for (let position = 0; position < outSize; position++) {
    const source = sourcePosition(position, scale, true);
    const first = Math.floor(source);
    const rest = Math.fround(source - first);
    for (let tap = 0; tap < 4; tap++) {
      sources[position * 4 + tap] = Math.min(Math.max(first - 1 + tap, 0), inSize - 1);
      shares[position * 4 + tap] = cubicShare(Math.abs(tap - 1 - rest));
    }
  }
  return { taps: 4, sources, shares };
}

function cubicShare(distance: number): number {
  const a = -0.75;
  if (distance <= 1) return ((a + 2) * distance - (a + 3)) * distance * distance + 1;
  return ((a * distance - 5 * a) * distance + 8 * a) * distance - 4 * a;
}

/** Bilinear or bicubic without antialiasing, as PyTorch has it: each source row is mixed along the row only once. */
export function interpolate(
  source: Float32Array,
  shape: BytesShape,
  target: Float32Array,
  { method, ...size }: PixelSize & { readonly method: 'bilinear' | 'bicubic' },
  { memory, checkpoint }: ResizeTools,
): void {
  const { width, height, channels } = shape;
  // Four channels go through PyTorch's own kernel for interleaved pixels.
  const mix = (inSize: number, outSize: number): Mix =>
    method === 'bicubic' ? cubicMix(inSize, outSize) : linearMix(inSize, outSize, channels > 3);
  const across = mix(width, size.width);
  const down = mix(height, size.height);
  const { taps } = down;
  const length = size.width * channels;
  const ring = memory.dirtyFloats(taps * length);
  const held = new Int32Array(taps).fill(-1);
  const offsets = new Int32Array(taps);
  for (let y = 0; y < size.height; y++) {
    if ((y & 15) === 0) checkpoint();
    for (let tap = 0; tap < taps; tap++) {
      const row = down.sources[y * taps + tap] ?? 0;
      const slot = row % taps;
      offsets[tap] = slot * length;
      if (held[slot] === row) continue;
      held[slot] = row;
      if (taps === 2) mixRow2(source, row * width * channels, ring, slot * length, across, channels);
      else mixRow4(source, row * width * channels, ring, slot * length, across, channels);
    }
    if (taps === 2) mixRows2(ring, offsets, down.shares, y * 2, target, y * length, length);
    else mixRows4(ring, offsets, down.shares, y * 4, target, y * length, length);
  }
  memory.free(ring);
}

function mixRow2(
  source: Float32Array,
  from: number,
  target: Float32Array,
  to: number,
  { sources, shares }: Mix,
  channels: number,
): void {
  for (let tap = 0; tap < sources.length; tap += 2) {
    const a = from + (sources[tap] ?? 0) * channels;
    const b = from + (sources[tap + 1] ?? 0) * channels;
    const shareA = shares[tap] ?? 0;
    const shareB = shares[tap + 1] ?? 0;
    for (let channel = 0; channel < channels; channel++, to++) {
      target[to] = (source[a + channel] ?? 0) * shareA + (source[b + channel] ?? 0) * shareB;
    }
  }
}

function mixRow4(
  source: Float32Array,
  from: number,
  target: Float32Array,
  to: number,
  { sources, shares }: Mix,
  channels: number,
): void {
  for (let tap = 0; tap < sources.length; tap += 4) {
    const a = from + (sources[tap] ?? 0) * channels;
    const b = from + (sources[tap + 1] ?? 0) * channels;
    const c = from + (sources[tap + 2] ?? 0) * channels;
    const d = from + (sources[tap + 3] ?? 0) * channels;
    const shareA = shares[tap] ?? 0;
    const shareB = shares[tap + 1] ?? 0;
    const shareC = shares[tap + 2] ?? 0;
    const shareD = shares[tap + 3] ?? 0;
    for (let channel = 0; channel < channels; channel++, to++) {
      target[to] =
        (source[a + channel] ?? 0) * shareA +
        (source[b + channel] ?? 0) * shareB +
        (source[c + channel] ?? 0) * shareC +
        (source[d + channel] ?? 0) * shareD;
    }
  }
}

function mixRows2(
  ring: Float32Array,
  offsets: Int32Array,
  shares: Float32Array,
  first: number,
  target: Float32Array,
  to: number,
  length: number,
): void {
  const a = offsets[0] ?? 0;
  const b = offsets[1] ?? 0;
  const shareA = shares[first] ?? 0;
  const shareB = shares[first + 1] ?? 0;
  for (let index = 0; index < length; index++) {
    target[to + index] = (ring[a + index] ?? 0) * shareA + (ring[b + index] ?? 0) * shareB;
  }
}

function mixRows4(
  ring: Float32Array,
  offsets: Int32Array,
  shares: Float32Array,
  first: number,
  target: Float32Array,
  to: number,
  length: number,
): void {
  const a = offsets[0] ?? 0;
  const b = offsets[1] ?? 0;
  const c = offsets[2] ?? 0;
  const d = offsets[3] ?? 0;
  const shareA = shares[first] ?? 0;
  const shareB = shares[first + 1] ?? 0;
  const shareC = shares[first + 2] ?? 0;
  const shareD = shares[first + 3] ?? 0;
  for (let index = 0; index < length; index++) {
    target[to + index] =
      (ring[a + index] ?? 0) * shareA +
      (ring[b + index] ?? 0) * shareB +
      (ring[c + index] ?? 0) * shareC +
      (ring[d + index] ?? 0) * shareD;
  }
}
