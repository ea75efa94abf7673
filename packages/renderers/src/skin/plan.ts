import { softBlur } from '../pixels/box-blur.ts';
import { downscaleRgb } from '../pixels/downscale.ts';
import { guidedCoefficients } from '../pixels/guided-filter.ts';
import { lumaOf, meanDifference } from '../pixels/luma.ts';
import { noiseField } from '../pixels/noise-tile.ts';
import type { Picture } from '../pixels/picture.ts';
import { triangleBlur } from '../pixels/triangle-blur.ts';
import { findBlemishes } from './blemishes.ts';
import { type Corrections, noCorrections } from './corrections.ts';
import { evenSkin } from './even-skin.ts';
import { findSkin, type Skin } from './find-skin.ts';
import { lightPicture } from './light-picture.ts';
import { lightSkin, liveSkin } from './light-skin.ts';
import { findMakeUp, removeMakeUp } from './make-up.ts';
import type { Recipe } from './recipe.ts';
import { clamp, quantile, type SmallPlanes, smallPlanes } from './small-planes.ts';

/** Everything that is known of a picture before its pixels are written. Planes are small unless said otherwise. */
export interface Plan {
  readonly planes: SmallPlanes;
  /** Of every pixel of the picture: its brightness, and the same without its finest detail. */
  readonly luma: Int16Array;
  readonly soft: Int16Array;
  /** Brightness without texture. */
  readonly base: Float32Array;
  readonly skin?: SkinPlan | undefined;
  readonly light?: Float32Array | undefined;
  /** How much plain parts vary from pixel to pixel. */
  readonly noise: number;
}

export interface SkinPlan {
  /** The mask of a pixel is `slope * brightness + offset`, so that it follows edges finer than the small planes. */
  readonly slope: Float32Array;
  readonly offset: Float32Array;
  readonly corrections: Corrections;
  /** How much of a pixel is a blemish that goes, with its texture. */
  readonly healed: Float32Array;
  /** How much more texture the skin bears: less where it has much. */
  readonly room: Float32Array;
  /** How strong texture is that has to be made. */
  readonly micro: Float32Array;
  /** The size of a pore in pixels. */
  readonly pore: number;
}

/** The longer edge of the small planes has at most so many pixels. */
const SMALL_EDGE = 440;

/** The mean difference between skin and its softened self in a good photograph. */
const GOOD_TEXTURE = 2;

export function planFor({ width, height, rgb }: Picture, recipe: Recipe, seed: number): Plan {
  const factor = Math.ceil(Math.max(width, height) / SMALL_EDGE);
  const planes = smallPlanes(downscaleRgb(rgb, { width, height }, factor));
  const skin = findSkin(planes);
  const luma = lumaOf(rgb, { width, height });
  // The finest band has to hold pores, which are larger in a larger face.
  const radius = clamp(
    Math.round(skin === undefined ? Math.max(width, height) / 1400 : (skin.extent * factor) / 450),
    1,
    4,
  );
  const soft = triangleBlur(luma, { width, height }, radius);
  const texture = meanDifference(luma, soft, { width, height }, factor);
  return {
    planes,
    luma,
    soft,
    base: softBlur(planes.luma, planes, Math.max(1, (3 * radius) / factor)),
    skin: skin === undefined ? undefined : planSkin(planes, skin, recipe, seed, texture),
    light: lightPicture(planes, recipe),
    noise: clamp(quantile(texture, 0.2), 0.15, 5),
  };
}

function planSkin(
  planes: SmallPlanes,
  skin: Skin,
  recipe: Recipe,
  seed: number,
  texture: Float32Array,
): SkinPlan {
  const corrections = noCorrections(planes);
  const blemishes = findBlemishes(planes, skin, recipe.healing);
  evenSkin(planes, skin, blemishes, recipe, corrections);
  lightSkin(planes, skin, recipe, corrections);
  if (recipe.mottle > 0 || recipe.calmColor > 0) {
    const size = Math.max(1, skin.extent / 45);
    const mottles = [
      noiseField(seed + 11, size, 'soft', 0),
      noiseField(seed + 13, size * 0.6, 'soft', 0),
    ] as const;
    liveSkin(planes, recipe, corrections, mottles);
  }
  const mask = recipe.makeUp > 0 ? withoutMakeUp(planes, skin, recipe, corrections) : skin.mask;
  const radius = clamp(Math.round(skin.extent / 60), 1, 4);
  const { slope, offset } = guidedCoefficients(planes.luma, mask, planes, { radius, epsilon: 60 });
  return {
    slope,
    offset,
    corrections,
    healed: blemishes,
    room: roomForTexture(texture),
    micro: microTexture(texture, planes, recipe),
    pore: clamp((skin.extent * planes.factor) / 360, 0.7, 3.2),
  };
}

/** The mask with what was painted over the skin, since that is corrected as well. */
function withoutMakeUp(
  planes: SmallPlanes,
  skin: Skin,
  recipe: Recipe,
  corrections: Corrections,
): Float32Array {
  const made = findMakeUp(planes, skin);
  removeMakeUp(planes, skin, made, recipe.makeUp, corrections);
  for (let at = 0; at < made.length; at++) made[at] = Math.max(made[at] ?? 0, skin.mask[at] ?? 0);
  return made;
}

/** Rough skin is not made rougher still: what a setting adds to smooth skin, it adds a fraction of to this. */
function roomForTexture(texture: Float32Array): Float32Array {
  const room = new Float32Array(texture.length);
  for (let at = 0; at < room.length; at++)
    room[at] = 1 / (1 + 0.5 * ((texture[at] ?? 0) / GOOD_TEXTURE) ** 2);
  return room;
}

/** What is missing to good texture; less of it in the dark, where pores do not show, and in burnt-out light. */
function microTexture(texture: Float32Array, { luma }: SmallPlanes, { micro, pores }: Recipe): Float32Array {
  const missing = new Float32Array(texture.length);
  for (let at = 0; at < missing.length; at++) {
    const light = luma[at] ?? 0;
    const shows = clamp(light / 110, 0.25, 1) * clamp((252 - light) / 50, 0, 1);
    missing[at] = micro * Math.max(0, GOOD_TEXTURE * shows - (texture[at] ?? 0) * (1 + 0.5 * pores));
  }
  return missing;
}
