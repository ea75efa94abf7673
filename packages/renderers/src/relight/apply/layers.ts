import { type Size, softBlur } from '../../pixels/box-blur.ts';
import { type Color, luminance } from '../../pixels/color.ts';
import { CHANNELS, clamp, createPlanes, mapPlanes, type Planes } from '../field.ts';
import type { Gains } from '../light/gains.ts';
import type { Scene } from '../scene/scene.ts';

/**
 * All that the pass over the picture needs, pixel after pixel at the size of the overview. A pixel becomes
 * `light * gain + added`, of the subject and of the background, mixed by the matte.
 */
export interface Layers {
  readonly values: Float32Array;
}

/** Places in a pixel of the layers. Red, green and blue stand from these on; what is one number stands behind them. */
const SUBJECT_GAIN = 0;
const MATTE_OFFSET = 3;
const SUBJECT_ADDED = 4;
const BASE_SLOPE = 7;
const BACKGROUND_GAIN = 8;
const BASE_OFFSET = 11;
const BACKGROUND_ADDED = 12;
const MATTE_SLOPE = 16;
export const LAYERS = 20;

/** Light that is seen beside what it falls on. */
export interface Extras {
  readonly rim: Planes;
  /** How much of the rim and of the background's shine is seen, 0 to 1. */
  readonly edgeShare: number;
  /** 0 to 1, of the background's place that the backdrop takes. */
  readonly backdropShare: Float32Array;
  readonly backdrop: Planes | undefined;
  /** Of the light in the air, 0 to 1, over the subject and over the background. */
  readonly subjectHaze: number;
  readonly backgroundHaze: number;
  readonly hazeColor: Color;
  readonly rays: Float32Array | undefined;
  readonly rayColor: Color;
  readonly vignette: number;
}

export function layersOf(gains: Gains, scene: Scene, extras: Extras): Layers {
  const { width, height } = scene.overview;
  const values = new Float32Array(width * height * LAYERS);
  const corners = cornersOf(scene.overview, extras.vignette);
  const wrapped = extras.backdrop === undefined ? undefined : lightWrap(extras.backdrop, scene);
  for (const [channel, name] of CHANNELS.entries()) {
    const subject = gains.subject[name];
    const background = gains.background[name];
    const rim = extras.rim[name];
    const behind = extras.backdrop?.[name] ?? corners;
    const around = wrapped?.[name];
    const nearHaze = extras.subjectHaze * (extras.hazeColor[channel] ?? 0);
    const farHaze = extras.backgroundHaze * (extras.hazeColor[channel] ?? 0);
    const rayColor = extras.rayColor[channel] ?? 0;
    for (let at = 0, to = channel; at < corners.length; at++, to += LAYERS) {
      const near = (corners[at] ?? 0) * (1 - extras.subjectHaze);
      const far = (corners[at] ?? 0) * (1 - extras.backgroundHaze);
      const share = extras.backdropShare[at] ?? 0;
      const edge = extras.edgeShare * (rim[at] ?? 0);
      const shaft = extras.rays === undefined ? 0 : (extras.rays[at] ?? 0) * rayColor;
      values[to + SUBJECT_GAIN] = near * ((subject[at] ?? 0) + 0.9 * edge);
      values[to + SUBJECT_ADDED] =
        near * (0.05 * edge + extras.edgeShare * (around?.[at] ?? 0)) + nearHaze + 0.45 * shaft;
      values[to + BACKGROUND_GAIN] = far * (background[at] ?? 0) * (1 - share);
      values[to + BACKGROUND_ADDED] = far * share * (behind[at] ?? 0) + farHaze + shaft;
    }
  }
  for (let at = 0, to = 0; at < corners.length; at++, to += LAYERS) {
    values[to + MATTE_SLOPE] = (scene.matte.red[at] ?? 0) / 255;
    values[to + MATTE_SLOPE + 1] = (scene.matte.green[at] ?? 0) / 255;
    values[to + MATTE_SLOPE + 2] = (scene.matte.blue[at] ?? 0) / 255;
    values[to + MATTE_OFFSET] = scene.matte.offset[at] ?? 0;
    values[to + BASE_SLOPE] = scene.base.slope[at] ?? 0;
    values[to + BASE_OFFSET] = scene.base.offset[at] ?? 0;
  }
  return { values };
}

function cornersOf({ width, height }: Size, vignette: number): Float32Array {
  const corners = new Float32Array(width * height);
  for (let row = 0, at = 0; row < height; row++) {
    const offY = ((row + 0.5) / height - 0.5) ** 2;
    for (let column = 0; column < width; column++, at++) {
      corners[at] = 1 - vignette * clamp((((column + 0.5) / width - 0.5) ** 2 + offY) * 1.7 - 0.08, 0, 1);
    }
  }
  return corners;
}

/** A bright background shines around the edges of what is before it. */
function lightWrap(backdrop: Planes, { overview, matte }: Scene): Planes {
  const longer = Math.max(overview.width, overview.height);
  const away = new Float32Array(matte.values.length);
  for (let at = 0; at < away.length; at++) away[at] = 1 - (matte.values[at] ?? 0);
  const near = softBlur(away, overview, longer / 60);
  return mapPlanes(backdrop, (plane) => {
    const seen = new Float32Array(plane.length);
    for (let at = 0; at < seen.length; at++) seen[at] = (plane[at] ?? 0) * (away[at] ?? 0);
    const wide = softBlur(seen, overview, longer / 40);
    for (let at = 0; at < seen.length; at++) wide[at] = 0.28 * (wide[at] ?? 0) * (near[at] ?? 0);
    return wide;
  });
}

/** What the picture becomes, small: in linear light, before tones are brought into range. */
export function previewLayers({ values }: Layers, { overview, matte }: Scene): Planes {
  const result = createPlanes(matte.values.length);
  for (const [channel, name] of CHANNELS.entries()) {
    const light = overview.light[name];
    const preview = result[name];
    for (let at = 0, from = channel; at < preview.length; at++, from += LAYERS) {
      const inside = matte.values[at] ?? 0;
      const value = light[at] ?? 0;
      const subject = value * (values[from + SUBJECT_GAIN] ?? 0) + (values[from + SUBJECT_ADDED] ?? 0);
      const background =
        value * (values[from + BACKGROUND_GAIN] ?? 0) + (values[from + BACKGROUND_ADDED] ?? 0);
      preview[at] = inside * subject + (1 - inside) * background;
    }
  }
  return result;
}

/** What is bright shines over what is beside it, in the layers and in their preview. */
export function addGlow({ values }: Layers, preview: Planes, { overview }: Scene, amount: number): void {
  const longer = Math.max(overview.width, overview.height);
  const shines = new Float32Array(preview.red.length);
  for (let at = 0; at < shines.length; at++) {
    const light = luminance(preview.red[at] ?? 0, preview.green[at] ?? 0, preview.blue[at] ?? 0);
    shines[at] = clamp((light - 0.3) * 1.6, 0, 1);
  }
  for (const [channel, name] of CHANNELS.entries()) {
    const plane = preview[name];
    const bright = new Float32Array(plane.length);
    for (let at = 0; at < bright.length; at++) bright[at] = Math.min(2, plane[at] ?? 0) * (shines[at] ?? 0);
    const near = softBlur(bright, overview, longer / 55);
    const wide = softBlur(near, overview, longer / 16);
    for (let at = 0, to = channel; at < near.length; at++, to += LAYERS) {
      const glow = amount * (0.22 * (near[at] ?? 0) + 0.3 * (wide[at] ?? 0));
      values[to + SUBJECT_ADDED] = (values[to + SUBJECT_ADDED] ?? 0) + glow;
      values[to + BACKGROUND_ADDED] = (values[to + BACKGROUND_ADDED] ?? 0) + glow;
      plane[at] = (plane[at] ?? 0) + glow;
    }
  }
}
