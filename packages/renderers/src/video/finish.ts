import { vectorFloats } from '@atelier/nodes/simd';
import { clamp, lerp, smoothstep } from '../pixels/planes.ts';
import { createBloom } from './bloom.ts';
import { type Planes, type StoredPlanes, UNIT } from './planes.ts';
import { hashPlace } from './random.ts';
import { storeColors, storeTones, TONE_STEPS } from './stored-row.ts';

/** How a frame is graded before it is stored. */
export interface Look {
  /** How dark the corners are, 0 to 1. */
  readonly vignette: number;
  /** How strongly bright areas glow, 0 to 1. */
  readonly bloom: number;
  readonly contrast: number;
  readonly saturation: number;
  /** Anime style: few tones, and lines at the edges. */
  readonly cel: boolean;
}

/** `strength` fades the look in. */
export type Finish = (stored: StoredPlanes, strength: number) => void;

/** Rows after which the dither repeats. */
const DITHER = 64;
/** Entries of the tone curve per level. The curve reaches twice white. */
const TONES = TONE_STEPS / 512;

export function createFinish(planes: Planes, look: Look): Finish {
  const { width, height } = planes;
  const dither = Float32Array.from({ length: DITHER * width }, (_, at) =>
    hashPlace((at % width) % DITHER, Math.floor(at / width), 77),
  );
  const across = falloff(width);
  const down = falloff(height);
  const bloom = createBloom(planes);
  const tones = new Float32Array(TONE_STEPS + 1);
  let tonesFor = -1;

  return (stored, strength) => {
    if (strength !== tonesFor) fillTones(tones, look, strength);
    tonesFor = strength;
    bloom.gather(look.bloom * strength);
    if (look.cel) drawOutlines(planes);
    const vignette = look.vignette * strength;
    const saturation = lerp(1, look.saturation, strength) * (224 / 255);
    for (const name of ['y', 'u', 'v'] as const) {
      const every = name === 'y' ? 1 : 2;
      const scale = (name === 'y' ? TONES : saturation) / UNIT;
      const count = width / every;
      const loss = Float32Array.from(
        { length: count },
        (_, x) => scale * vignette * (across[x * every] ?? 0),
      );
      const store = rowStore(loss, tones, name === 'y' ? storeTones : storeColors);
      const { data, stride } = stored[name];
      for (let row = 0; row < height / every; row++) {
        const bytes = store({
          from: planes[name].subarray(row * count, (row + 1) * count),
          // Soft enough for every second row.
          glow: row % 2 === 0 ? bloom.row(name, row) : undefined,
          grain: dither.subarray((row % DITHER) * width, (row % DITHER) * width + count),
          level: scale * (1 - vignette * (down[row * every] ?? 0)),
        });
        data.set(bytes, row * stride);
      }
    }
  };
}

interface Row {
  readonly from: Int16Array;
  /** Absent: that of the row before. */
  readonly glow: Float32Array | undefined;
  readonly grain: Float32Array;
  /** The brightness at the middle of the row, from which `loss` is subtracted at each column. */
  readonly level: number;
}

/** The bytes of a row are overwritten by the next one. Nothing else may use the vector memory meanwhile. */
function rowStore(loss: Float32Array, tones: Float32Array, store: typeof storeTones) {
  // Whole vectors.
  const room = Math.ceil(loss.length / 4) * 4;
  const [glowAt, lossAt, grainAt, tonesAt] = [room, room * 2, room * 3, room * 4];
  const floats = vectorFloats(tonesAt + tones.length + room);
  const [shorts, bytes] = [new Int16Array(floats.buffer), new Uint8Array(floats.buffer)];
  const target = (tonesAt + tones.length) * 4;
  floats.set(loss, lossAt);
  floats.set(tones, tonesAt);
  const result = bytes.subarray(target, target + loss.length);
  return ({ from, glow, grain, level }: Row): Uint8Array => {
    shorts.set(from);
    if (glow) floats.set(glow.subarray(0, loss.length), glowAt);
    floats.set(grain, grainAt);
    store(target, target + loss.length, 0, glowAt * 4, lossAt * 4, grainAt * 4, tonesAt * 4, level);
    return result;
  };
}

/** 0 in the middle, 1/2 at both ends: across and down together are 1 in the corners. */
function falloff(length: number): Float32Array {
  return Float32Array.from({ length }, (_, at) => ((at + 0.5) / length - 0.5) ** 2 * 2);
}

function fillTones(tones: Float32Array, { contrast, cel }: Look, strength: number): void {
  for (let index = 0; index < tones.length; index++) {
    const level = index / TONES / 255;
    // The shoulder keeps some difference above white.
    const soft = level < 0.9 ? level : 0.9 + 0.1 * (1 - Math.exp(-(level - 0.9) / 0.1));
    const curved = lerp(soft, smoothstep(0, 1, soft), contrast - 1);
    const toned = cel ? lerp(curved, stepped(curved), 0.55) : curved;
    tones[index] = Math.min(235, 16 + 219 * clamp(lerp(Math.min(1, level), toned, strength)));
  }
}

const CEL_TONES = 9;

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
