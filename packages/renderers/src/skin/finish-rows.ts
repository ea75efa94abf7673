import { guidedCoefficients } from '../pixels/guided-filter.ts';
import { noiseRows } from '../pixels/noise.ts';
import { blurredBytes, type Picture, reduced } from '../pixels/picture.ts';
import { boxMean, clamp, enlarger, quantile, type Size, softBlur } from '../pixels/planes.ts';
import { findSkin } from './find-skin.ts';
import { lightPicture } from './light-picture.ts';
import type { Recipe } from './recipe.ts';
import { retouchSkin } from './retouch-skin.ts';
import { smallPlanes } from './small-planes.ts';

const NONE = new Float32Array(0);

/** Overwrites rows of the picture with the finished ones. */
export type RowFinisher = (from: number, to: number) => void;

/** The size at which skin is found and its low band is corrected. */
const SMALL_EDGE = 340;

/** The mean difference between skin and its blurred version in a good photograph. */
const GOOD_TEXTURE = 2;

/** Prepares everything that is computed at reduced size. */
export async function rowFinisher(picture: Picture, recipe: Recipe, seed: number): Promise<RowFinisher> {
  const { width, height, rgb } = picture;
  const small = await reduced(picture, SMALL_EDGE);
  const planes = smallPlanes(small, width / small.width);
  const skin = findSkin(planes);
  const face = skin === undefined ? Math.max(width, height) / 3 : skin.extent * planes.factor;
  // The finest band must contain pores, which are larger in a larger face.
  const sigma = clamp(face / 330, 0.8, 5);
  const luma = lumaOf(picture);
  // Edges are sharpened in a finer band than pores, regardless of the size of the face.
  const edges = clamp(Math.max(width, height) / 2500, 0.7, 1.4);
  const [soft, sharp] = await Promise.all([
    blurredBytes(luma, picture, sigma),
    recipe.sharpen > 0 ? blurredBytes(luma, picture, edges) : luma,
  ]);
  const texture = meanDifference(luma, soft, picture, planes);
  const noise = clamp(quantile(texture, 0.2), 0.15, 5);
  const retouch = skin === undefined ? undefined : retouchSkin(planes, skin, recipe);
  const radius = skin === undefined ? 1 : clamp(Math.round(skin.extent / 60), 1, 4);
  const none = new Float32Array(planes.luma.length);
  // The mask of a pixel is `slope * brightness + offset`, so it follows edges finer than the small planes.
  const mask = guidedCoefficients(planes.luma, retouch?.mask ?? none, planes, { radius, epsilon: 60 });
  const rowsOf = enlarger(
    [
      mask.slope,
      mask.offset,
      softBlur(planes.luma, planes, Math.max(1, (2.5 * sigma) / planes.factor)),
      retouch?.healed ?? none,
      // Rough skin gets less texture than smooth skin.
      texture.map((value) => 1 / (1 + 0.5 * (value / GOOD_TEXTURE) ** 2)),
      texture.map((value, at) => recipe.micro * missingTexture(value, planes.luma[at] ?? 0)),
      retouch?.luma ?? none,
      retouch?.cb ?? none,
      retouch?.cr ?? none,
      lightPicture(planes, recipe),
    ],
    planes,
    picture,
  );
  const poresOf = recipe.micro > 0 ? noiseRows(seed + 1, clamp(face / 500, 0.6, 2.5), width) : undefined;
  // Grain is finer, relative to the picture, in larger pictures.
  const grainOf =
    recipe.grain > 0
      ? noiseRows(seed + 2, clamp(Math.max(width, height) / 3000, 0.4, 1.3), width)
      : undefined;
  const bands: Bands = {
    skinFine: answers({ gain: 1.3 * recipe.texture, noise: 0.35 * noise, limit: 13 }),
    skinMiddle: { gain: 0.45 * recipe.texture, noise: 0.3, limit: 8 },
    edges: answers({ gain: 1.9 * recipe.sharpen, noise: 1 + 2 * noise, limit: 17 }),
    restFine: answers({ gain: 0.8 * recipe.detail, noise: 1.4 * noise, limit: 16 }),
    restMiddle: { gain: 0.5 * recipe.detail, noise: noise, limit: 14 },
  };
  const pass = { width, rgb, luma, soft, sharp, recipe, bands, curves: curvesOf(recipe) };
  return (from, to) => {
    for (let y = from; y < to; y++) finishRow(pass, rowsOf(y), poresOf?.(y) ?? NONE, grainOf?.(y) ?? NONE, y);
  };
}

interface Pass {
  readonly width: number;
  readonly rgb: Uint8Array;
  readonly luma: Uint8Array;
  /** The brightness without its finest band, and without the band that is sharpened. */
  readonly soft: Uint8Array;
  readonly sharp: Uint8Array;
  readonly recipe: Recipe;
  readonly bands: Bands;
  readonly curves: Curves;
}

interface Bands extends Readonly<Record<'skinFine' | 'edges' | 'restFine', Float64Array>> {
  readonly skinMiddle: Response;
  readonly restMiddle: Response;
}

/** A separate function without allocations, so that the runtime compiles it once and keeps it for the next picture. */
function finishRow(
  { width, rgb, luma, soft, sharp, recipe, bands, curves }: Pass,
  rows: readonly Float32Array[],
  pores: Float32Array,
  grain: Float32Array,
  y: number,
): void {
  const { skinFine, skinMiddle, edges, restFine, restMiddle } = bands;
  const vibrance = (0.55 / 255) * recipe.vibrance;
  // Rounds and clamps.
  const out = new Uint8ClampedArray(rgb.buffer, rgb.byteOffset, rgb.length);
  const [slope = NONE, offset = NONE, base = NONE, healed = NONE, room = NONE] = rows;
  const [micro = NONE, skinLuma = NONE, skinCb = NONE, skinCr = NONE, light = NONE] = rows.slice(5);
  for (let x = 0, at = y * width; x < width; x++, at++) {
    const here = luma[at] ?? 0;
    const fine = here - (soft[at] ?? 0);
    const middle = (soft[at] ?? 0) - (base[x] ?? 0);
    let share = clamp((slope[x] ?? 0) * here + (offset[x] ?? 0), 0, 1);
    if (share < 0.02) share = 0;
    let change = (light[x] ?? 0) + (curves.contrast[here] ?? 0);
    if (recipe.detail > 0) change += (1 - share) * ((restFine[255 + fine] ?? 0) + answer(middle, restMiddle));
    if (recipe.sharpen > 0) change += (1 - 0.4 * share) * (edges[255 + here - (sharp[at] ?? 0)] ?? 0);
    if (share > 0) {
      const more = ((skinFine[255 + fine] ?? 0) + answer(middle, skinMiddle)) * (room[x] ?? 0);
      const heal = (healed[x] ?? 0) * (more + fine + middle);
      change += share * (more - heal + (micro[x] ?? 0) * (pores[x] ?? 0) + (skinLuma[x] ?? 0));
    }
    if (recipe.grain > 0) change += (grain[x] ?? 0) * (curves.grain[here] ?? 0);
    const pixel = at * 3;
    const red = rgb[pixel] ?? 0;
    const green = rgb[pixel + 1] ?? 0;
    const blue = rgb[pixel + 2] ?? 0;
    // More color where there is little. Skin has enough.
    const pale = 255 - Math.max(red, green, blue) + Math.min(red, green, blue);
    const color = vibrance * pale * (1 - 0.75 * share);
    // Brightness is mostly multiplied, which keeps colors saturated, and partly added.
    const times = 1 + change * (curves.multiplied[here] ?? 0);
    const flat = 0.4 * change;
    const cb = share * (skinCb[x] ?? 0);
    const cr = share * (skinCr[x] ?? 0);
    out[pixel] = (red + color * (red - here)) * times + flat + 1.402 * cr;
    out[pixel + 1] = (green + color * (green - here)) * times + flat - 0.344 * cb - 0.714 * cr;
    out[pixel + 2] = (blue + color * (blue - here)) * times + flat + 1.772 * cb;
  }
}

/** How strongly a band is amplified: little below `noise`, and little above `limit`, where it would become a halo. */
interface Response {
  readonly gain: number;
  readonly noise: number;
  readonly limit: number;
}

function answer(value: number, { gain, noise, limit }: Response): number {
  const square = value * value;
  const most = limit * limit;
  return (gain * value * square * most) / ((square + noise * noise) * (most + square));
}

/** For every difference between two bytes, from -255 on. */
function answers(response: Response): Float64Array {
  return Float64Array.from({ length: 511 }, (_, index) => answer(index - 255, response));
}

/** Lookup tables by the brightness of a pixel. */
interface Curves {
  readonly contrast: Float64Array;
  /** Like film grain: strongest in the mid-tones, none in black and white. */
  readonly grain: Float64Array;
  readonly multiplied: Float64Array;
}

function curvesOf(recipe: Recipe): Curves {
  const parts = Float64Array.from({ length: 256 }, (_, value) => value / 255);
  return {
    contrast: parts.map((part) => recipe.contrast * 290 * part * (1 - part) * (part - 0.5)),
    grain: parts.map((part) => recipe.grain * 26 * part * (1 - part)),
    multiplied: parts.map((part) => 0.6 / Math.max(8, part * 255)),
  };
}

/** Less in the dark, where pores do not show, and in overexposed areas. */
function missingTexture(texture: number, light: number): number {
  const shows = clamp(light / 110, 0.25, 1) * clamp((252 - light) / 50, 0, 1);
  return Math.max(0, GOOD_TEXTURE * shows - 1.4 * texture);
}

function lumaOf({ width, height, rgb }: Picture): Uint8Array {
  const luma = new Uint8Array(width * height);
  for (let at = 0, from = 0; at < luma.length; at++, from += 3) {
    luma[at] = (77 * (rgb[from] ?? 0) + 150 * (rgb[from + 1] ?? 0) + 29 * (rgb[from + 2] ?? 0) + 128) >> 8;
  }
  return luma;
}

/** How much two planes of bytes differ on average around each pixel of the small planes. */
function meanDifference(one: Uint8Array, other: Uint8Array, large: Size, small: Size): Float32Array {
  const sums = new Float32Array(small.width * small.height);
  const counts = new Float32Array(sums.length);
  const ends = Int32Array.from({ length: small.width }, (_, x) =>
    Math.ceil(((x + 1) * large.width) / small.width),
  );
  for (let y = 0, at = 0; y < large.height; y++) {
    const row = Math.floor((y * small.height) / large.height) * small.width;
    const start = y * large.width;
    for (let x = 0; x < small.width; x++) {
      const first = at;
      let sum = 0;
      for (const end = start + (ends[x] ?? 0); at < end; at++)
        sum += Math.abs((one[at] ?? 0) - (other[at] ?? 0));
      sums[row + x] = (sums[row + x] ?? 0) + sum;
      counts[row + x] = (counts[row + x] ?? 0) + at - first;
    }
  }
  return boxMean(
    sums.map((sum, cell) => sum / Math.max(1, counts[cell] ?? 0)),
    small,
    2,
  );
}
