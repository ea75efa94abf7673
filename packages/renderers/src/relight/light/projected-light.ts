import { type Size, softBlur } from '../../pixels/box-blur.ts';
import { type Color, luminance, scaleColor, tintOf } from '../../pixels/color.ts';
import { guidedFilter } from '../../pixels/guided-filter.ts';
import type { Picture } from '../../pixels/picture.ts';
import { CHANNELS, clamp, createPlanes, mapPlanes, type Planes, percentile } from '../field.ts';
import type { Direction } from '../prompt/effect.ts';
import type { Overview } from '../scene/overview.ts';
import { overviewOf } from '../scene/overview.ts';
import type { LightPlan } from './light-plan.ts';
import type { LightField } from './shade-scene.ts';

/** Light that was read from a picture: what lamps would make it, and how it lies over the picture. */
export interface ProjectedLight {
  readonly plan: LightPlan;
  /** Factors of light with a mean of 1, over the subject and over the background. */
  readonly onSubject: Planes;
  readonly onBackground: Planes;
  /** The scene of a reference, out of focus, in linear light. */
  readonly backdrop: Planes | undefined;
}

const LEAST = 0.004;

/** The light of another picture: its low frequencies, by channels, with the edges of things kept out. */
export function lightOfReference(picture: Picture, target: Overview): ProjectedLight {
  const { light, ...size } = overviewOf(picture);
  const longer = Math.max(size.width, size.height);
  const illumination = mapPlanes(light, (plane) => illuminationOf(plane, size));
  const broad = mapPlanes(illumination, (plane) => softBlur(plane, size, longer / 12));
  const traits = traitsOf(broad, size);
  const level = meanStops(light) - meanStops(target.light);
  return {
    plan: {
      lights: [{ from: traits.from, color: traits.key, power: 1, rim: 0.25 * traits.apart }],
      ambient: scaleColor(traits.shade, clamp(0.62 * 2 ** (-1.1 * traits.apart), 0.12, 0.7)),
      exposure: clamp(0.42 * level, -1.4, 0.9),
      softness: 0.5,
      haze: 0,
      rays: 0,
      glow: 0.1,
      saturation: 0,
      vignette: 0,
      backdrop: undefined,
    },
    onSubject: relative(broad, 0.35, 0.12),
    onBackground: relative(broad, 0.8, 0.4),
    backdrop: mapPlanes(light, (plane) => softBlur(softBlur(plane, size, longer / 60), size, longer / 60)),
  };
}

/** A drawn map: bright is light, black is none, and its color is that of the light. */
export function lightOfMap(picture: Picture): ProjectedLight {
  const { light, ...size } = overviewOf(picture);
  const longer = Math.max(size.width, size.height);
  const smooth = mapPlanes(light, (plane) => softBlur(plane, size, longer / 50));
  const broad = mapPlanes(smooth, (plane) => softBlur(plane, size, longer / 14));
  const traits = traitsOf(broad, size);
  return {
    plan: {
      lights: [{ from: traits.from, color: [1, 1, 1], power: 1, rim: 0.15 }],
      ambient: [0.55, 0.55, 0.55],
      exposure: clamp(0.35 * (meanStops(smooth) + 2), -0.9, 0.35),
      softness: 0.5,
      haze: 0,
      rays: 0,
      glow: 0.08,
      saturation: 0,
      vignette: 0,
      backdrop: undefined,
    },
    onSubject: relative(smooth, 0.62, 0.62),
    onBackground: relative(smooth, 0.7, 0.7),
    backdrop: undefined,
  };
}

/** Lays the projected light over the light of the plan. */
export function project(field: LightField, { onSubject, onBackground }: ProjectedLight): LightField {
  return {
    subject: product(field.subject, onSubject),
    background: product(field.background, onBackground),
    rim: field.rim,
  };
}

/** Edge-aware: what is dark because it is black is kept apart from what is dark because no light falls there. */
function illuminationOf(plane: Float32Array, size: Size): Float32Array {
  const stops = plane.map((value) => Math.log2(LEAST + value));
  const radius = Math.max(1, Math.round(Math.max(size.width, size.height) / 20));
  return guidedFilter(stops, stops, size, { radius, epsilon: 0.6 }).map((value) => 2 ** value);
}

interface Traits {
  readonly from: Direction;
  readonly key: Color;
  readonly shade: Color;
  /** How far light and shade are apart, 0 to about 1.5. */
  readonly apart: number;
}

function traitsOf(light: Planes, size: Size): Traits {
  const brightness = new Float32Array(light.red.length);
  for (let at = 0; at < brightness.length; at++) {
    brightness[at] = luminance(light.red[at] ?? 0, light.green[at] ?? 0, light.blue[at] ?? 0);
  }
  const high = percentile(brightness, 0.85);
  const low = percentile(brightness, 0.35);
  const key = meanColor(light, (at) => (brightness[at] ?? 0) >= high);
  const shade = meanColor(light, (at) => (brightness[at] ?? 0) <= low);
  const apart = clamp(Math.log2((LEAST + high) / (LEAST + low)) / 2, 0, 1.5);
  return {
    from: directionOf(brightness, size),
    // The brightest things are not only lit but also have a color, so not all of it is taken for the light's.
    key: softTint(key, 0.55),
    shade: softTint(shade, 0.42),
    apart,
  };
}

function softTint(color: Color, power: number): Color {
  const [red, green, blue] = tintOf(color);
  return tintOf([red ** power, green ** power, blue ** power]);
}

function meanColor({ red, green, blue }: Planes, chosen: (at: number) => boolean): Color {
  let count = 1e-6;
  const sum: [number, number, number] = [1e-6, 1e-6, 1e-6];
  for (let at = 0; at < red.length; at += 2) {
    if (!chosen(at)) continue;
    sum[0] += red[at] ?? 0;
    sum[1] += green[at] ?? 0;
    sum[2] += blue[at] ?? 0;
    count++;
  }
  return [sum[0] / count, sum[1] / count, sum[2] / count];
}

/** From the side towards which it gets brighter. */
function directionOf(brightness: Float32Array, { width, height }: Size): Direction {
  let sumX = 0;
  let sumY = 0;
  let total = 1e-6;
  for (let at = 0; at < brightness.length; at++) {
    const weight = brightness[at] ?? 0;
    sumX += weight * (((at % width) + 0.5) / width - 0.5);
    sumY += weight * ((Math.floor(at / width) + 0.5) / height - 0.5);
    total += weight;
  }
  // A straight ramp from black to white has its middle a sixth off.
  const x = clamp((sumX / total) * 6, -1, 1);
  const y = clamp((sumY / total) * 6, -1, 1) - 0.12;
  const z = Math.max(0.3, 0.95 - Math.hypot(x, y));
  const length = Math.hypot(x, y, z);
  return [x / length, y / length, z / length];
}

/** Powers of the light and of its color that are laid over the picture. */
function relative({ red, green, blue }: Planes, power: number, tint: number): Planes {
  const result = createPlanes(red.length);
  const light = new Float32Array(red.length);
  let stops = 0;
  for (let at = 0; at < light.length; at++) {
    light[at] = LEAST + luminance(red[at] ?? 0, green[at] ?? 0, blue[at] ?? 0);
    stops += Math.log2(light[at] ?? 1);
  }
  const mean = 2 ** (stops / light.length);
  for (const channel of CHANNELS) {
    const [from, to] = [{ red, green, blue }[channel], result[channel]];
    for (let at = 0; at < light.length; at++) {
      const whole = light[at] ?? 1;
      to[at] =
        clamp(whole / mean, 0.03, 20) ** power * clamp((LEAST + (from[at] ?? 0)) / whole, 0.02, 14) ** tint;
    }
  }
  return result;
}

function product(one: Planes, other: Planes): Planes {
  const multiply = (a: Float32Array, b: Float32Array): Float32Array =>
    a.map((value, at) => value * (b[at] ?? 1));
  return {
    red: multiply(one.red, other.red),
    green: multiply(one.green, other.green),
    blue: multiply(one.blue, other.blue),
  };
}

function meanStops({ red, green, blue }: Planes): number {
  let sum = 0;
  for (let at = 0; at < red.length; at += 3)
    sum += Math.log2(LEAST + luminance(red[at] ?? 0, green[at] ?? 0, blue[at] ?? 0));
  return sum / Math.ceil(red.length / 3);
}
