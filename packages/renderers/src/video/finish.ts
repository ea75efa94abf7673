import { createBloom } from './bloom.ts';
import { clamp, lerp, smoothstep } from './curves.ts';
import { type Planes, type Size, type StoredPlane, type StoredPlanes } from './planes.ts';
import { hashPlace } from './random.ts';

/** How a frame is graded before it is stored. All but `saturation` and `contrast` may be 0. */
export interface Look {
  /** How dark the corners are, 0 to 1. */
  readonly vignette: number;
  /** How far bright places shine over, 0 to 1. */
  readonly bloom: number;
  readonly contrast: number;
  readonly saturation: number;
  /** Tones in few steps, and lines at the edges. */
  readonly cel: boolean;
}

/** Brings the planes to what is stored. `strength` fades the look in from the picture as it is. */
export type Finish = (stored: StoredPlanes, strength: number) => void;

const DITHER = 64;
/** Places of the tone curve for each level; it goes up to twice white. */
const TONES = 8;

export function createFinish(planes: Planes, look: Look): Finish {
  const { width, height, memory } = planes;
  const { kernels } = memory;
  const dither = memory.shorts(DITHER * DITHER);
  for (let at = 0; at < dither.length; at++) dither[at] = 256 * hashPlace(at % DITHER, at >> 6, 77);
  const across = falloff(width);
  const down = falloff(height);
  const bloom = look.bloom > 0 ? createBloom(planes) : undefined;
  const { byteOffset: dark } = memory.shorts(width);
  const loss = memory.shorts(width);
  const tones = memory.shorts(512 * TONES);
  const out = memory.bytes(width * height);
  let tonesFor = -1;

  function storeColor(name: 'u' | 'v', stored: StoredPlane, saturation: number, vignette: number): void {
    const halfWidth = width >> 1;
    for (let row = 0; row < height >> 1; row++) {
      kernels.colorRow(
        planes[name].byteOffset + row * halfWidth * 2,
        bloom ? bloom.colorRow(name, row) : dark,
        loss.byteOffset,
        Math.round((1 - vignette * (down[row * 2] as number)) * saturation * 8192),
        out.byteOffset + row * halfWidth,
        halfWidth,
      );
    }
    copyPlane(stored, out, { width: halfWidth, height: height >> 1 });
  }

  return (stored, strength) => {
    if (strength !== tonesFor) fillTones(tones, look, strength);
    tonesFor = strength;
    bloom?.gather(look.bloom * strength);
    const vignette = look.vignette * strength;
    if (look.cel) drawOutlines(planes);
    for (let x = 0; x < width; x++) loss[x] = (across[x] as number) * vignette * 32_767;
    for (let row = 0; row < height; row++) {
      kernels.toneRow(
        planes.y.byteOffset + row * width * 2,
        bloom ? bloom.brightnessRow(row) : dark,
        loss.byteOffset,
        Math.round((1 - vignette * (down[row] as number)) * 32_767),
        tones.byteOffset,
        dither.byteOffset + (row & (DITHER - 1)) * DITHER * 2,
        out.byteOffset + row * width,
        width,
      );
    }
    copyPlane(stored.y, out, { width, height });
    const saturation = lerp(1, look.saturation, strength) * (224 / 255);
    for (let x = 0; x < width >> 1; x++) loss[x] = (across[x * 2] as number) * vignette * saturation * 8192;
    for (const name of ['u', 'v'] as const) storeColor(name, stored[name], saturation, vignette);
  };
}

function copyPlane({ data, stride }: StoredPlane, from: Uint8Array, { width, height }: Size): void {
  if (stride === width) {
    data.set(from.subarray(0, width * height));
    return;
  }
  for (let row = 0; row < height; row++) {
    data.set(from.subarray(row * width, (row + 1) * width), row * stride);
  }
}

/** 0 in the middle, 1/2 at both ends: across and down together are 1 in the corners. */
function falloff(length: number): Float32Array {
  return Float32Array.from({ length }, (_, at) => ((at + 0.5) / length - 0.5) ** 2 * 2);
}

/** They are above what signed numbers hold, and read as numbers without a sign. */
function fillTones(tones: Int16Array, { contrast, cel }: Look, strength: number): void {
  for (let index = 0; index < tones.length; index++) {
    const level = index / TONES / 255;
    // Above white the shoulder keeps some of the difference.
    const soft = level < 0.9 ? level : 0.9 + 0.1 * (1 - Math.exp(-(level - 0.9) / 0.1));
    const curved = lerp(soft, smoothstep(0, 1, soft), contrast - 1);
    const toned = cel ? lerp(curved, stepped(curved), 0.55) : curved;
    tones[index] = Math.min(235 * 256, 256 * (16 + 219 * clamp(lerp(Math.min(1, level), toned, strength))));
  }
}

const CEL_TONES = 9;

/** Few tones with soft steps between them. */
function stepped(level: number): number {
  const place = level * CEL_TONES;
  const step = Math.floor(place);
  return (step + smoothstep(0.35, 0.65, place - step)) / CEL_TONES;
}

/** Darkens what differs from its surroundings above and to the left: lines as of ink. */
function drawOutlines({ width, height, y, memory }: Planes): void {
  const reach = Math.max(1, Math.round(width / 960));
  for (let row = height - 1 - reach; row >= reach; row--) {
    memory.kernels.outlineRow(y.byteOffset + row * width * 2, width, reach, reach, width - 1 - reach);
  }
}
