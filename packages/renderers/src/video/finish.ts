import { createBloom } from './bloom.ts';
import { clamp, lerp, smoothstep } from './curves.ts';
import { type Planes, type StoredPlane, type StoredPlanes, UNIT } from './planes.ts';
import { hashPlace } from './random.ts';

/** How a frame is graded before it is stored. */
export interface Look {
  /** How dark the corners are, 0 to 1. */
  readonly vignette: number;
  /** How far bright places shine over, 0 to 1. */
  readonly bloom: number;
  readonly contrast: number;
  readonly saturation: number;
  /** Few tones, and lines at the edges: the anime style. */
  readonly cel: boolean;
}

/** Stores the planes. `strength` fades the look in. */
export type Finish = (stored: StoredPlanes, strength: number) => void;

const DITHER = 64;
/** Entries of the tone curve per level. It goes up to twice white. */
const TONES = 8;

export function createFinish(planes: Planes, look: Look): Finish {
  const { width, height } = planes;
  const dither = Float32Array.from({ length: DITHER * DITHER }, (_, at) =>
    hashPlace(at % DITHER, Math.floor(at / DITHER), 77),
  );
  const across = falloff(width);
  const down = falloff(height);
  const bloom = createBloom(planes);
  const tones = new Float32Array(512 * TONES + 1);
  let tonesFor = -1;

  return (stored, strength) => {
    if (strength !== tonesFor) fillTones(tones, look, strength);
    tonesFor = strength;
    bloom.gather(look.bloom * strength);
    if (look.cel) drawOutlines(planes);
    const vignette = look.vignette * strength;
    const saturation = lerp(1, look.saturation, strength) * (224 / 255);
    const scaled = (by: number): Float32Array => across.map((part) => part * vignette * by);
    const [loss, colorLoss] = [scaled(TONES / UNIT), scaled(saturation / UNIT)];
    for (let row = 0; row < height; row++) {
      const level = (1 - vignette * (down[row] as number)) * (TONES / UNIT);
      const grain = dither.subarray((row % DITHER) * DITHER);
      const from = planes.y.subarray(row * width, (row + 1) * width);
      storeTones(stored.y, row, { from, glow: bloom.row('y', row), level, loss, tones, grain });
    }
    for (const name of ['u', 'v'] as const) {
      for (let row = 0; row < height >> 1; row++) {
        const level = ((1 - vignette * (down[row * 2] as number)) * saturation) / UNIT;
        const from = planes[name].subarray(row * (width >> 1), (row + 1) * (width >> 1));
        storeColors(stored[name], row, { from, glow: bloom.row(name, row), level, loss: colorLoss });
      }
    }
  };
}

interface Row {
  readonly from: Int16Array;
  readonly glow: Float32Array;
  /** How bright the row is at its middle, and how much less at each column. */
  readonly level: number;
  readonly loss: Float32Array;
}

interface ToneRow extends Row {
  readonly tones: Float32Array;
  readonly grain: Float32Array;
}

function storeTones(
  { data, stride }: StoredPlane,
  row: number,
  { from, glow, level, loss, tones, grain }: ToneRow,
): void {
  const start = row * stride;
  const most = tones.length - 1;
  for (let x = 0; x < from.length; x++) {
    const lit = ((from[x] as number) + (glow[x] as number)) * (level - (loss[x] as number));
    const at = lit < 0 ? 0 : lit > most ? most : lit | 0;
    data[start + x] = ((tones[at] as number) + (grain[x & (DITHER - 1)] as number)) | 0;
  }
}

function storeColors({ data, stride }: StoredPlane, row: number, { from, glow, level, loss }: Row): void {
  const start = row * stride;
  for (let x = 0; x < from.length; x++) {
    const shade = level - (loss[x * 2] as number);
    const value = (128.5 + ((from[x] as number) + (glow[x] as number)) * shade) | 0;
    data[start + x] = value < 16 ? 16 : value > 240 ? 240 : value;
  }
}

/** 0 in the middle, 1/2 at both ends: across and down together are 1 in the corners. */
function falloff(length: number): Float32Array {
  return Float32Array.from({ length }, (_, at) => ((at + 0.5) / length - 0.5) ** 2 * 2);
}

function fillTones(tones: Float32Array, { contrast, cel }: Look, strength: number): void {
  for (let index = 0; index < tones.length; index++) {
    const level = index / TONES / 255;
    // Above white the shoulder keeps some of the difference.
    const soft = level < 0.9 ? level : 0.9 + 0.1 * (1 - Math.exp(-(level - 0.9) / 0.1));
    const curved = lerp(soft, smoothstep(0, 1, soft), contrast - 1);
    const toned = cel ? lerp(curved, stepped(curved), 0.55) : curved;
    tones[index] = Math.min(235, 16 + 219 * clamp(lerp(Math.min(1, level), toned, strength)));
  }
}

const CEL_TONES = 9;

/** Few tones with soft steps between them. */
function stepped(level: number): number {
  const place = level * CEL_TONES;
  const step = Math.floor(place);
  return (step + smoothstep(0.35, 0.65, place - step)) / CEL_TONES;
}

/** Darkens what differs from its surroundings above and to the left, like lines of ink. */
function drawOutlines({ width, height, y }: Planes): void {
  const reach = Math.max(1, Math.round(width / 960));
  for (let row = height - 1; row >= reach; row--) {
    for (let at = row * width + width - 1; at >= row * width + reach; at--) {
      const here = y[at] as number;
      const edge =
        Math.abs((y[at - reach] as number) - here) + Math.abs((y[at - reach * width] as number) - here);
      y[at] = here * (1 - 0.45 * clamp((edge - 26 * UNIT) / (40 * UNIT)));
    }
  }
}
