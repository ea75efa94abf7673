import { createBloom } from './bloom.ts';
import { clamp, lerp, smoothstep } from './curves.ts';
import { MOST, type Planes, type Size, type StoredPlane, type StoredPlanes, UNIT } from './planes.ts';
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
export type Finish = (planes: Planes, stored: StoredPlanes, strength: number) => void;

const DITHER = 64;
/** Places of the tone curve for each level; it goes up to twice white. */
const TONES = 8;

export function createFinish(size: Size, look: Look): Finish {
  const { width, height } = size;
  const dither = Int32Array.from(
    { length: DITHER * DITHER },
    (_, at) => 256 * hashPlace(at % DITHER, at >> 6, 77),
  );
  const across = falloff(width);
  const down = falloff(height);
  const bloom = look.bloom > 0 ? createBloom(size) : undefined;
  const dark = new Int32Array(width);
  const tones = new Int32Array(512 * TONES);
  let tonesFor = -1;

  return (planes, stored, strength) => {
    if (strength !== tonesFor) fillTones(tones, look, strength);
    tonesFor = strength;
    const light = bloom?.(planes, look.bloom * strength);
    const vignette = look.vignette * strength;
    if (look.cel) drawOutlines(planes);
    const lossY = Int32Array.from(across, (value) => value * vignette * 32_767);
    for (let row = 0; row < height; row++) {
      const glow = light ? light.brightnessRow(row) : dark;
      const grain = dither.subarray((row & (DITHER - 1)) * DITHER, ((row & (DITHER - 1)) + 1) * DITHER);
      const level = Math.round((1 - vignette * (down[row] as number)) * 32_767);
      storeBrightness(planes, stored.y, row, { glow, grain, level, loss: lossY, tones });
    }
    const saturation = lerp(1, look.saturation, strength) * (224 / 255);
    const loss = Int32Array.from(
      { length: width >> 1 },
      (_, x) => (across[x * 2] as number) * vignette * saturation * 8192,
    );
    for (const name of ['u', 'v'] as const) {
      const plane = { data: planes[name], width: width >> 1 };
      for (let row = 0; row < height >> 1; row++) {
        const glow = light ? light.colorRow(name, row) : dark;
        const level = Math.round((1 - vignette * (down[row * 2] as number)) * saturation * 8192);
        storeColor(plane, stored[name], row, { glow, level, loss });
      }
    }
  };
}

interface Shading {
  /** Light that is added. */
  readonly glow: Int32Array;
  /** The factor in the middle of the row, and what it loses towards the sides. */
  readonly level: number;
  readonly loss: Int32Array;
}

function storeBrightness(
  { width, y }: Planes,
  { data, stride }: StoredPlane,
  row: number,
  given: Shading & { readonly grain: Int32Array; readonly tones: Int32Array },
): void {
  const { glow, grain, tones, level, loss } = given;
  const from = row * width;
  const to = row * stride;
  for (let x = 0; x < width; x++) {
    const value = (y[from + x] as number) + (glow[x] as number);
    const lit = value < 0 ? 0 : value > MOST ? MOST : value;
    const shaded = Math.imul(lit, level - (loss[x] as number)) >> 18;
    data[to + x] = ((tones[shaded] as number) + (grain[x & (DITHER - 1)] as number)) >> 8;
  }
}

function storeColor(
  { data: source, width }: { readonly data: Int16Array; readonly width: number },
  { data, stride }: StoredPlane,
  row: number,
  { glow, level, loss }: Shading,
): void {
  const from = row * width;
  const to = row * stride;
  for (let x = 0; x < width; x++) {
    const shaded = level - (loss[x] as number);
    const value =
      (Math.imul((source[from + x] as number) + (glow[x] as number), shaded) + (128 << 19) + (1 << 18)) >> 19;
    data[to + x] = value < 16 ? 16 : value > 240 ? 240 : value;
  }
}

/** 0 in the middle, 1/2 at both ends: across and down together are 1 in the corners. */
function falloff(length: number): Float32Array {
  return Float32Array.from({ length }, (_, at) => ((at + 0.5) / length - 0.5) ** 2 * 2);
}

function fillTones(tones: Int32Array, { contrast, cel }: Look, strength: number): void {
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

/** Darkens what is darker than its surroundings above and to the left: lines as of ink. */
function drawOutlines({ width, height, y }: Planes): void {
  const reach = Math.max(1, Math.round(width / 960));
  for (let row = height - 1 - reach; row >= reach; row--) {
    for (let at = row * width + width - 1 - reach, end = row * width + reach; at >= end; at--) {
      const here = y[at] as number;
      const left = (y[at - reach] as number) - here;
      const above = (y[at - reach * width] as number) - here;
      const edge = (left < 0 ? -left : left) + (above < 0 ? -above : above) - 26 * UNIT;
      if (edge > 0) y[at] = here * (edge > 40 * UNIT ? 0.55 : 1 - edge * (0.01125 / UNIT));
    }
  }
}
