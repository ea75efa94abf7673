import { type Color, LINEAR_OF_BYTE, mixColors, scaleColor, tintOf } from '../pixels/color.ts';
import { type Picture, reduced } from '../pixels/picture.ts';
import {
  clamp,
  luminanceOf,
  mapPlanes,
  mapValues,
  type Planes,
  quantile,
  type Size,
  softBlur,
} from '../pixels/planes.ts';
import { DEFAULT_PLAN, type Direction, type LightPlan, toUnit } from './light-plan.ts';

export interface ProjectedLight {
  readonly plan: LightPlan;
  readonly factors: Planes;
  /** The reference out of focus, in linear light. */
  readonly backdrop: Planes | undefined;
}

const PLAIN: LightPlan = { ...DEFAULT_PLAN, glow: 0.08, softness: 0.5 };

/** The light of a reference: where its broad areas are bright, and in which color. */
export async function lightOfReference(picture: Picture, target: Planes): Promise<ProjectedLight> {
  const { light, broad, size } = await readLight(picture, 10);
  const brightness = luminanceOf(broad);
  const high = quantile(brightness, 0.85);
  const low = quantile(brightness, 0.35);
  const apart = clamp(Math.log2((0.004 + high) / (0.004 + low)) / 2, 0, 1.5);
  const shade = softTint(meanColor(broad, (at) => (brightness[at] ?? 0) <= low));
  // The brightest things are not only lit but also have a color, so not all of it is the light's.
  const color = softTint(meanColor(broad, (at) => (brightness[at] ?? 0) >= high));
  const longer = Math.max(size.width, size.height);
  return {
    plan: {
      ...PLAIN,
      lights: [{ from: directionOf(brightness, size), color, power: 1 }],
      ambient: scaleColor(shade, clamp(0.62 * 2 ** (-1.1 * apart), 0.12, 0.7)),
      exposure: clamp(0.42 * (meanStops(light) - meanStops(target)), -1.4, 0.9),
    },
    factors: factorsOf(broad, 0.4, 0.15),
    backdrop: mapPlanes(light, (plane) => softBlur(plane, size, longer / 40)),
  };
}

/** A light map: bright is light, black is none, and its color is that of the light. */
export async function lightOfMap(picture: Picture): Promise<ProjectedLight> {
  const { broad, size } = await readLight(picture, 25);
  return {
    plan: {
      ...PLAIN,
      lights: [{ from: directionOf(luminanceOf(broad), size), color: [1, 1, 1], power: 1 }],
      ambient: [0.55, 0.55, 0.55],
      exposure: clamp(0.35 * (meanStops(broad) + 2), -0.9, 0.35),
    },
    factors: factorsOf(broad, 0.62, 0.62),
    backdrop: undefined,
  };
}

/** The reference or light map gives the light, and the words of the prompt modify it. */
export function joinPlans(given: LightPlan, words: LightPlan | undefined): LightPlan {
  if (words === undefined) return given;
  const [word] = words.lights;
  const tint = mixColors([1, 1, 1], tintOf(words.ambient), 0.5);
  return {
    ...words,
    lights: given.lights.map(({ from, color, power }) => ({
      from: toUnit([
        from[0] + 0.8 * (word?.from[0] ?? 0),
        from[1] + 0.8 * (word?.from[1] ?? 0),
        from[2] + 0.8 * (word?.from[2] ?? 0),
      ]),
      color: product(color, word?.color ?? [1, 1, 1]),
      power,
    })),
    ambient: product(given.ambient, tint),
    exposure: clamp(given.exposure + words.exposure * 0.7, -2.6, 1.5),
    glow: Math.max(given.glow, words.glow),
  };
}

function product(one: Color, other: Color): Color {
  return [one[0] * other[0], one[1] * other[1], one[2] * other[2]];
}

async function readLight(picture: Picture, parts: number) {
  const { planes, ...size } = await reduced(picture, Math.max(picture.width, picture.height));
  const light = mapValues(planes, (value) => LINEAR_OF_BYTE[Math.round(value)] ?? 0);
  const deviation = Math.max(size.width, size.height) / parts;
  return { light, broad: mapPlanes(light, (plane) => softBlur(plane, size, deviation)), size };
}

function softTint(color: Color): Color {
  const [red, green, blue] = tintOf(color);
  return tintOf([red ** 0.5, green ** 0.5, blue ** 0.5]);
}

function meanColor(planes: Planes, isChosen: (at: number) => boolean): Color {
  const mean = (plane: Float32Array): number => {
    const chosen = plane.filter((_, at) => isChosen(at));
    return 1e-6 + chosen.reduce((sum, value) => sum + value, 0) / Math.max(1, chosen.length);
  };
  return [mean(planes[0]), mean(planes[1]), mean(planes[2])];
}

/** Points to the brighter side. */
function directionOf(brightness: Float32Array, { width, height }: Size): Direction {
  let [sumX, sumY, total] = [0, 0, 1e-6];
  for (let at = 0; at < brightness.length; at++) {
    const weight = brightness[at] ?? 0;
    sumX += weight * (((at % width) + 0.5) / width - 0.5);
    sumY += weight * ((Math.floor(at / width) + 0.5) / height - 0.5);
    total += weight;
  }
  // The centroid of a straight ramp from black to white is a sixth off the center.
  const x = clamp((sumX / total) * 6, -1, 1);
  const y = clamp((sumY / total) * 6, -1, 1) - 0.12;
  return toUnit([x, y, Math.max(0.3, 0.95 - Math.hypot(x, y))]);
}

function factorsOf(planes: Planes, power: number, tint: number): Planes {
  const light = luminanceOf(planes).map((value) => 0.004 + value);
  const mean = 2 ** meanStops(planes);
  return mapValues(planes, (value, at) => {
    const whole = light[at] ?? 1;
    return clamp(whole / mean, 0.03, 20) ** power * clamp((0.004 + value) / whole, 0.02, 14) ** tint;
  });
}

function meanStops(planes: Planes): number {
  const light = luminanceOf(planes);
  return light.reduce((sum, value) => sum + Math.log2(0.004 + value), 0) / light.length;
}
