import { blurWithin, softBlur } from '../../pixels/box-blur.ts';
import { luminance } from '../../pixels/color.ts';
import type { RelightSettings } from '../../render-request.ts';
import { clamp, createPlanes, meanWithin, type Planes, percentile } from '../field.ts';
import type { Look } from '../look/look.ts';
import type { Scene } from '../scene/scene.ts';
import type { LightField } from './shade-scene.ts';
import { AMOUNTS, SPREADS, type Spread } from './transfer.ts';

/** Factors of linear light, for the subject and for the background. */
export interface Gains {
  readonly subject: Planes;
  readonly background: Planes;
}

export interface Transfer {
  readonly settings: Pick<RelightSettings, 'transferLightA' | 'transferLightB'>;
  readonly look: Look;
  /** 0 to 1. */
  readonly strength: number;
  /** In stops. */
  readonly exposure: number;
}

const MOST_STOPS = 2.6;
const LEAST_STOPS = -4.2;

/** How the light field changes the picture: in stops, shaped by what is to be transferred where. */
export function gainsOf(field: LightField, scene: Scene, transfer: Transfer): Gains {
  const spread = SPREADS[transfer.settings.transferLightB];
  const amount = amountsOf(scene, transfer);
  const old = oldLight(scene, transfer.look.unlit);
  const none = { ...old, x: 0, y: 0 };
  const { matte, overview } = scene;
  const everywhere = new Float32Array(matte.values.length).fill(1);
  const inside = stopsOf(spread.broad ? broadened(field.subject, matte.values, scene) : field.subject);
  const outside = stopsOf(spread.broad ? broadened(field.background, everywhere, scene) : field.background);
  const range = { low: percentile(inside.light, 0.04), high: percentile(inside.light, 0.97) };
  return {
    subject: shaped(inside, amount, { ...transfer, spread, range, old, width: overview.width }),
    background: shaped(outside, amount, { ...transfer, spread, range, old: none, width: overview.width }),
  };
}

interface Stops {
  readonly light: Float32Array;
  /** How far each channel is from the light as a whole. */
  readonly tint: Planes;
}

function stopsOf({ red, green, blue }: Planes): Stops {
  const light = new Float32Array(red.length);
  const tint = createPlanes(red.length);
  for (let at = 0; at < light.length; at++) {
    const r = red[at] ?? 0;
    const g = green[at] ?? 0;
    const b = blue[at] ?? 0;
    const stops = Math.log2(0.004 + luminance(r, g, b));
    light[at] = stops;
    tint.red[at] = Math.log2(0.004 + r) - stops;
    tint.green[at] = Math.log2(0.004 + g) - stops;
    tint.blue[at] = Math.log2(0.004 + b) - stops;
  }
  return { light, tint };
}

function broadened({ red, green, blue }: Planes, mask: Float32Array, { overview }: Scene): Planes {
  const deviation = Math.max(overview.width, overview.height) / 7;
  const [r = red, g = green, b = blue] = blurWithin([red, green, blue], mask, overview, deviation);
  return { red: r, green: g, blue: b };
}

function amountsOf({ tone, skin, overview }: Scene, { settings, strength }: Transfer): Float32Array {
  const { at: ofTone, onFaces } = AMOUNTS[settings.transferLightA];
  const table = Float32Array.from({ length: 257 }, (_, n) => ofTone(n / 256));
  // Smooth, or the edges of things would show in the light.
  const smooth = softBlur(tone, overview, Math.max(overview.width, overview.height) / 60);
  return smooth.map(
    (value, at) =>
      strength *
      ((table[Math.round(clamp(value, 0, 1) * 256)] ?? 0) + onFaces * clamp((skin[at] ?? 0) * 1.6, 0, 1)),
  );
}

/** A slope of light over the picture, in stops a pixel, around a middle where it is 0. */
interface Slope {
  readonly x: number;
  readonly y: number;
  readonly middleX: number;
  readonly middleY: number;
}

/**
 * The light that the subject has already: the plane that fits its brightness best. Only that much can be told from
 * the colors of things, of which dark hair above a light face is one.
 */
function oldLight({ overview: { width, height }, tone, matte }: Scene, unlit: number): Slope {
  const stops = new Float32Array(tone.length);
  for (let at = 0; at < stops.length; at++) stops[at] = 2.2 * Math.log2(0.03 + (tone[at] ?? 0));
  const mean = meanWithin(stops, matte.values);
  let share = 1e-6;
  let middleX = 0;
  let middleY = 0;
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at++) {
      const weight = matte.values[at] ?? 0;
      share += weight;
      middleX += weight * x;
      middleY += weight * y;
    }
  }
  middleX /= share;
  middleY /= share;
  let sumX = 0;
  let squareX = 1e-6;
  let sumY = 0;
  let squareY = 1e-6;
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at++) {
      const weight = matte.values[at] ?? 0;
      const value = weight * clamp((stops[at] ?? 0) - mean, -2, 2);
      sumX += value * (x - middleX);
      squareX += weight * (x - middleX) ** 2;
      sumY += value * (y - middleY);
      squareY += weight * (y - middleY) ** 2;
    }
  }
  // Hair above and clothes below say little about light, so less is taken away that way.
  return { x: (sumX / squareX) * unlit, y: (sumY / squareY) * unlit * 0.4, middleX, middleY };
}

interface Shaping extends Transfer {
  readonly spread: Spread;
  readonly range: { readonly low: number; readonly high: number };
  readonly old: Slope;
  readonly width: number;
}

function shaped(stops: Stops, amount: Float32Array, shaping: Shaping): Planes {
  const { look, spread, range, old, width } = shaping;
  const gains = createPlanes(amount.length);
  const { red, green, blue } = stops.tint;
  const span = Math.max(0.05, range.high - range.low);
  const relief = look.relief * spread.relief;
  const tint = look.tint * spread.tint;
  const exposure = shaping.exposure + look.exposure;
  for (let row = 0, at = 0; at < amount.length; row++) {
    for (let column = 0; column < width; column++, at++) {
      const share = clamp(((stops.light[at] ?? 0) - range.low) / span, -0.4, 1.6);
      const inner = clamp(share, 0, 1);
      const placed = banded(spread.place(inner), look.bands) + share - inner;
      const before = clamp(old.x * (column - old.middleX) + old.y * (row - old.middleY), -1, 1);
      const part = (amount[at] ?? 0) * spread.weight(inner);
      const whole = (amount[at] ?? 0) * exposure + part * ((range.low + placed * span) * relief - before);
      gains.red[at] = factorOf(whole + part * tint * (red[at] ?? 0));
      gains.green[at] = factorOf(whole + part * tint * (green[at] ?? 0));
      gains.blue[at] = factorOf(whole + part * tint * (blue[at] ?? 0));
    }
  }
  return gains;
}

function factorOf(stops: number): number {
  return Math.exp(clamp(stops, LEAST_STOPS, MOST_STOPS) * Math.LN2);
}

/** Flat steps with short slopes between them, as light is painted in drawn films. */
function banded(share: number, bands: number): number {
  if (bands === 0) return share;
  const scaled = share * bands;
  const step = Math.floor(scaled);
  const within = scaled - step;
  return clamp((step + clamp((within - 0.5) / 0.16 + 0.5, 0, 1)) / bands, 0, 1);
}
