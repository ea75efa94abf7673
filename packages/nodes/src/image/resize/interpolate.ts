import type { BytesShape, PixelSize, ResizeTools } from './pillow-resize.ts';

const { fround } = Math;

/** For every output position, the source positions it mixes and their shares; `taps` of them. */
interface Mix {
  readonly taps: number;
  readonly sources: Int32Array;
  readonly shares: Float32Array;
}

/** For every output position, the nearest source position by pixel centers, computed in float32. */
export function nearestExact(inSize: number, outSize: number): Int32Array {
  const scale = fround(inSize / outSize);
  return Int32Array.from({ length: outSize }, (_, position) =>
    Math.min(Math.floor(fround(fround(position + 0.5) * scale)), inSize - 1),
  );
}

/**
 * The source position in float32. PyTorch's kernels round product and difference once (`fused`) or twice, which shows in the
 * fifth digit of wide pictures.
 */
function sourcePosition(position: number, scale: number, fused: boolean): number {
  const product = (position + 0.5) * scale;
  return fround((fused ? product : fround(product)) - 0.5);
}

function linearMix(inSize: number, outSize: number, fused: boolean): Mix {
  const scale = fround(inSize / outSize);
  const sources = new Int32Array(outSize * 2);
  const shares = new Float32Array(outSize * 2);
  for (let position = 0; position < outSize; position++) {
    const source = Math.max(0, sourcePosition(position, scale, fused));
    const first = Math.min(Math.floor(source), inSize - 1);
    const rest = Math.min(1, fround(source - first));
    sources[position * 2] = first;
    sources[position * 2 + 1] = Math.min(first + 1, inSize - 1);
    shares[position * 2] = 1 - rest;
    shares[position * 2 + 1] = rest;
  }
  return { taps: 2, sources, shares };
}

/**
 * The compiler decides which products of a sum are fused: `a·b + c·d` rounds `c·d` and then the whole. Any other order would
 * change bytes in areas of one color.
 */
function cubicMix(inSize: number, outSize: number): Mix {
  const scale = fround(inSize / outSize);
  const sources = new Int32Array(outSize * 4);
  const shares = new Float32Array(outSize * 4);
  for (let position = 0; position < outSize; position++) {
    const source = sourcePosition(position, scale, true);
    const first = Math.floor(source);
    const rest = fround(source - first);
    const other = fround(1 - rest);
    [fround(rest + 1), rest, other, fround(other + 1)].forEach((distance, tap) => {
      sources[position * 4 + tap] = Math.min(Math.max(first - 1 + tap, 0), inSize - 1);
      shares[position * 4 + tap] = cubicShare(distance);
    });
  }
  return { taps: 4, sources, shares };
}

function cubicShare(distance: number): number {
  if (distance <= 1) return fround(fround(fround(fround(1.25 * distance - 2.25) * distance) * distance) + 1);
  return fround(fround(fround(fround(-0.75 * distance + 3.75) * distance - 6) * distance) + 3);
}

/** Up to this sum of both edges, PyTorch uses the kernel for interleaved pixels, whatever the channels. */
const SMALL_EDGES = 128;

/** Bilinear or bicubic without antialiasing, as in PyTorch. Each source row is mixed along the row only once. */
export function interpolate(
  source: Float32Array,
  shape: BytesShape,
  target: Float32Array,
  { method, ...size }: PixelSize & { readonly method: 'bilinear' | 'bicubic' },
  { memory, checkpoint }: ResizeTools,
): void {
  const { width, height, channels } = shape;
  if (method === 'bilinear' && (channels > 3 || size.width + size.height <= SMALL_EDGES)) {
    mixPixels(source, shape, target, size, checkpoint);
    return;
  }
  const mix = (inSize: number, outSize: number): Mix =>
    method === 'bicubic' ? cubicMix(inSize, outSize) : linearMix(inSize, outSize, false);
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
      mixRow(source, row * width * channels, ring, slot * length, across, channels);
    }
    const shares = down.shares.subarray(y * taps, (y + 1) * taps);
    mixRows(ring, offsets, shares, target.subarray(y * length, (y + 1) * length));
  }
  memory.free(ring);
}

/** PyTorch's kernel for interleaved pixels: four of them at once, with the products of their shares. */
function mixPixels(
  source: Float32Array,
  { width, height, channels }: BytesShape,
  target: Float32Array,
  size: PixelSize,
  checkpoint: () => void,
): void {
  const across = linearMix(width, size.width, true);
  const down = linearMix(height, size.height, true);
  let to = 0;
  for (let y = 0; y < size.height * 2; y += 2) {
    if ((y & 31) === 0) checkpoint();
    const top = (down.sources[y] ?? 0) * width;
    const bottom = (down.sources[y + 1] ?? 0) * width;
    const topShare = down.shares[y] ?? 0;
    const bottomShare = down.shares[y + 1] ?? 0;
    for (let x = 0; x < size.width * 2; x += 2) {
      const left = across.sources[x] ?? 0;
      const right = across.sources[x + 1] ?? 0;
      const leftShare = across.shares[x] ?? 0;
      const rightShare = across.shares[x + 1] ?? 0;
      const shareA = fround(topShare * leftShare);
      const shareB = fround(topShare * rightShare);
      const shareC = fround(bottomShare * leftShare);
      const shareD = fround(bottomShare * rightShare);
      const atA = (top + left) * channels;
      const atB = (top + right) * channels;
      const atC = (bottom + left) * channels;
      const atD = (bottom + right) * channels;
      for (let channel = 0; channel < channels; channel++, to++) {
        const a = source[atA + channel] ?? 0;
        const b = source[atB + channel] ?? 0;
        const c = source[atC + channel] ?? 0;
        const d = source[atD + channel] ?? 0;
        target[to] = fround(fround(a * shareA + fround(b * shareB)) + c * shareC) + d * shareD;
      }
    }
  }
}

/**
 * Mixes pixels along a row. Sums are rounded after each product but the first, which is fused. The four taps are written out,
 * because a loop takes four times as long; a linear mix does not read the last two.
 */
function mixRow(
  source: Float32Array,
  from: number,
  target: Float32Array,
  to: number,
  { taps, sources, shares }: Mix,
  channels: number,
): void {
  const isCubic = taps === 4;
  for (let tap = 0; tap < sources.length; tap += taps) {
    const a = from + (sources[tap] ?? 0) * channels;
    const b = from + (sources[tap + 1] ?? 0) * channels;
    const c = isCubic ? from + (sources[tap + 2] ?? 0) * channels : 0;
    const d = isCubic ? from + (sources[tap + 3] ?? 0) * channels : 0;
    const shareA = shares[tap] ?? 0;
    const shareB = shares[tap + 1] ?? 0;
    const shareC = isCubic ? (shares[tap + 2] ?? 0) : 0;
    const shareD = isCubic ? (shares[tap + 3] ?? 0) : 0;
    for (let channel = 0; channel < channels; channel++, to++) {
      const half = fround((source[a + channel] ?? 0) * shareA + fround((source[b + channel] ?? 0) * shareB));
      const most = isCubic ? fround(half + (source[c + channel] ?? 0) * shareC) : half;
      target[to] = isCubic ? most + (source[d + channel] ?? 0) * shareD : most;
    }
  }
}

/** Mixes rows of the length of `target` that start at `offsets`. */
function mixRows(ring: Float32Array, offsets: Int32Array, shares: Float32Array, target: Float32Array): void {
  const [a = 0, b = 0, c = 0, d = 0] = offsets;
  const [shareA = 0, shareB = 0, shareC = 0, shareD = 0] = shares;
  const isCubic = offsets.length === 4;
  for (let index = 0; index < target.length; index++) {
    const half = fround((ring[a + index] ?? 0) * shareA + fround((ring[b + index] ?? 0) * shareB));
    const most = isCubic ? fround(half + (ring[c + index] ?? 0) * shareC) : half;
    target[index] = isCubic ? most + (ring[d + index] ?? 0) * shareD : most;
  }
}
