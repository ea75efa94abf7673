import { blurWithin, type Size, softBlur } from '../../pixels/box-blur.ts';
import { oklabFromLinear } from '../../pixels/color.ts';
import { clamp, percentile, resizePlane, smoothstep } from '../field.ts';
import { barrierDistance } from './barrier-distance.ts';
import { FEATURES, type Features, misfit, modelColors } from './color-model.ts';
import { type Face, findFace } from './face.ts';
import { joinRegions } from './join-regions.ts';
import type { Overview } from './overview.ts';

export interface Subject {
  /** 1 where the subject is, at the size of the overview. */
  readonly mask: Float32Array;
  /** 0: there is none, or it cannot be told from the rest; the mask is then 1 everywhere. */
  readonly confidence: number;
  /** In pixels of the overview. */
  readonly face: Face | undefined;
}

const SEARCH_EDGE = 128;
const LEAST_EDGE = 12;
const ROUNDS = 3;
/** A misfit below this: the model has seen such a pixel. */
const FAMILIAR = 9;
/** Up to the first the outline is sure, from the second on it is a guess. */
const CALM = 0.035;
const RESTLESS = 0.08;

/** What the picture is of: what stands out from its border, is near its middle, and has colors of its own. */
export function findSubject(overview: Overview, skin: Float32Array): Subject {
  const none = {
    mask: new Float32Array(overview.width * overview.height).fill(1),
    confidence: 0,
    face: undefined,
  };
  const scale = Math.min(1, SEARCH_EDGE / Math.max(overview.width, overview.height));
  const size = { width: Math.round(overview.width * scale), height: Math.round(overview.height * scale) };
  if (Math.min(size.width, size.height) < LEAST_EDGE) return none;
  const axes = axesOf(overview, size);
  const features = featuresOf(axes, size);
  const face = findFace(resizePlane(skin, overview, size), axes.lightness, size);
  const prior = priorOf(saliencyOf(axes, features, size), face, size);
  let likely = prior;
  for (let round = 0; round < ROUNDS; round++) likely = softBlur(judged(features, likely, prior), size, 0.8);
  const mask = joinRegions(likely, features, size);
  const confidence = confidenceOf(mask, axes, size);
  if (confidence < 0.15) return none;
  return { mask: resizePlane(mask, size, overview), confidence, face: face && enlarged(face, 1 / scale) };
}

interface Axes {
  readonly lightness: Float32Array;
  readonly first: Float32Array;
  readonly second: Float32Array;
}

function axesOf({ light, width, height }: Overview, size: Size): Axes {
  const small = (plane: Float32Array): Float32Array =>
    resizePlane(softBlur(plane, { width, height }, 1.2), { width, height }, size);
  const lightness = small(light.red);
  const first = small(light.green);
  const second = small(light.blue);
  for (let at = 0; at < lightness.length; at++) {
    const color = oklabFromLinear([lightness[at] ?? 0, first[at] ?? 0, second[at] ?? 0]);
    lightness[at] = color[0];
    first[at] = color[1];
    second[at] = color[2];
  }
  return { lightness, first, second };
}

function featuresOf({ lightness, first, second }: Axes, { width, height }: Size): Features {
  const features = new Float32Array(lightness.length * FEATURES);
  for (let at = 0, to = 0; at < lightness.length; at++, to += FEATURES) {
    features[to] = lightness[at] ?? 0;
    features[to + 1] = first[at] ?? 0;
    features[to + 2] = second[at] ?? 0;
    features[to + 3] = (at % width) / width;
    features[to + 4] = Math.floor(at / width) / height;
  }
  return features;
}

/** From 0 to 1. The lower border is background only where it looks like the others: people are cut off there. */
function saliencyOf(axes: Axes, features: Features, size: Size): Float32Array {
  const seeds = new Uint8Array(size.width * size.height);
  for (let y = 0; y < size.height * 0.84; y++) {
    seeds[y * size.width] = 1;
    seeds[(y + 1) * size.width - 1] = 1;
  }
  seeds.fill(1, 0, size.width);
  const border = modelColors(features, borderWeights(size, 0.04), 5);
  for (let at = seeds.length - size.width; at < seeds.length; at++)
    if (misfit(border, features, at) < FAMILIAR) seeds[at] = 1;
  const light = barrierDistance(axes.lightness, size, seeds);
  const first = barrierDistance(axes.first, size, seeds);
  const second = barrierDistance(axes.second, size, seeds);
  const saliency = new Float32Array(light.length);
  for (let at = 0; at < saliency.length; at++) {
    const barrier = (light[at] ?? 0) + 2.5 * ((first[at] ?? 0) + (second[at] ?? 0));
    saliency[at] = barrier + 0.015 * clamp(misfit(border, features, at), 0, 30);
  }
  return standingOut(saliency, size);
}

/** How far above the unrest of the background itself; that is measured along the border. */
function standingOut(saliency: Float32Array, size: Size): Float32Array {
  const margin = borderWeights(size, 0.12);
  const unrest = percentile(
    saliency.filter((_, at) => margin[at] === 1),
    0.6,
  );
  const range = clamp(percentile(saliency, 0.97) - unrest, 0.12, 0.4);
  return saliency.map((value) => clamp((value - unrest - 0.02) / range, 0, 1));
}

function borderWeights({ width, height }: Size, share: number): Float32Array {
  const weights = new Float32Array(width * height);
  const margin = Math.max(1, Math.round(Math.min(width, height) * share));
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const sides = (x < margin || x >= width - margin) && y < height * 0.82;
      if (y < margin || sides) weights[y * width + x] = 1;
    }
  }
  return weights;
}

function priorOf(saliency: Float32Array, face: Face | undefined, { width, height }: Size): Float32Array {
  const prior = new Float32Array(saliency.length);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * width + x;
      const offX = (x + 0.5) / width - 0.5;
      const offY = (y + 0.5) / height - 0.55;
      const middle = Math.exp(-(offX * offX) / 0.09 - (offY * offY) / 0.16);
      const stands = smoothstep(0.12, 0.7, (saliency[at] ?? 0) * (0.5 + 0.7 * middle));
      const person = face === undefined ? 0 : personAt(face, x, y);
      prior[at] = Math.max(stands, person);
    }
  }
  return softBlur(prior, { width, height }, 1.6);
}

/** A face has hair around it, and shoulders below. */
function personAt({ x: centerX, y: centerY, radiusX, radiusY }: Face, x: number, y: number): number {
  const across = (x - centerX) / radiusX;
  const down = (y - centerY) / radiusY;
  const face = 1 - smoothstep(0.7, 1.1, Math.hypot(across, down));
  const head = 1 - smoothstep(1, 1.75, Math.hypot(across, (down + 0.15) / 1.12));
  if (down < 0.8) return Math.max(face, head * 0.5);
  const width = 0.85 + 2.1 * smoothstep(1.1, 2.6, down);
  const body = (1 - smoothstep(width * 0.75, width * 1.45, Math.abs(across))) * smoothstep(0.8, 1.4, down);
  return Math.max(head * 0.5, body * 0.6);
}

/** By colors of what is taken for subject and for background, weighed with where each is expected. */
function judged(features: Features, likely: Float32Array, prior: Float32Array): Float32Array {
  const inside = modelColors(features, likely, 8);
  const outside = modelColors(
    features,
    likely.map((value) => 1 - value),
    8,
  );
  const judgement = new Float32Array(likely.length);
  for (let at = 0; at < likely.length; at++) {
    const colors = clamp(misfit(outside, features, at) - misfit(inside, features, at), -10, 10);
    const place = Math.log((0.04 + (prior[at] ?? 0)) / (1.04 - (prior[at] ?? 0)));
    judgement[at] = 1 / (1 + Math.exp(-0.5 * colors - 1.3 * place));
  }
  return judgement;
}

function outline(mask: Float32Array, width: number): number {
  let length = 0;
  for (let at = width; at < mask.length; at++) {
    const value = mask[at] ?? 0;
    length += Math.abs(value - (mask[at - 1] ?? 0)) + Math.abs(value - (mask[at - width] ?? 0));
  }
  return length;
}

/** A subject is in one piece, neither a speck nor all of it, does not run along the border, and has calm around it. */
function confidenceOf(mask: Float32Array, axes: Axes, size: Size): number {
  const { width, height } = size;
  let area = 0;
  for (let at = 0; at < mask.length; at++) area += mask[at] ?? 0;
  let along = 0;
  for (let x = 0; x < width; x++) along += mask[x] ?? 0;
  for (let y = 0; y < height * 0.7; y++) along += (mask[y * width] ?? 0) + (mask[(y + 1) * width - 1] ?? 0);
  along /= width + 1.4 * height;
  const share = area / mask.length;
  const ragged = outline(mask, width) / Math.sqrt(area + 1);
  const sized = smoothstep(0.01, 0.05, share) * (1 - smoothstep(0.72, 0.92, share));
  const whole = (1 - smoothstep(9, 16, ragged)) * (1 - smoothstep(0.2, 0.5, along));
  return sized * whole * (1 - smoothstep(CALM, RESTLESS, unrestAround(mask, axes, size)));
}

/** How much the background differs from a blur of itself, in Oklab: in a street full of people the outline is a guess. */
function unrestAround(mask: Float32Array, { lightness, first, second }: Axes, size: Size): number {
  const outside = mask.map((value) => (value > 0.05 ? 0 : 1));
  const planes = [lightness, first, second];
  const smooth = blurWithin(planes, outside, size, Math.max(size.width, size.height) / 16);
  let sum = 0;
  let count = 1;
  for (let at = 0; at < mask.length; at++) {
    if (outside[at] !== 1) continue;
    const off = (axis: number): number => (planes[axis]?.[at] ?? 0) - (smooth[axis]?.[at] ?? 0);
    sum += Math.hypot(off(0), 2 * off(1), 2 * off(2));
    count++;
  }
  return sum / count;
}

function enlarged({ x, y, radiusX, radiusY }: Face, scale: number): Face {
  return { x: x * scale, y: y * scale, radiusX: radiusX * scale, radiusY: radiusY * scale };
}
