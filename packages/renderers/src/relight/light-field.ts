import {
  clamp,
  luminanceOf,
  mapPlanes,
  mapValues,
  type Planes,
  quantile,
  softBlur,
} from '../pixels/planes.ts';
import type { RelightSettings } from '../render-request.ts';
import type { Light, LightPlan } from './light-plan.ts';
import type { Look } from './looks.ts';
import type { Scene } from './scene.ts';
import { AMOUNTS, SPREADS } from './transfer.ts';

interface Transfer {
  readonly settings: Pick<RelightSettings, 'transferLightA' | 'transferLightB'>;
  readonly look: Look;
  /** 0 to 1. */
  readonly strength: number;
}

const MAX_STOPS = 2;
const MIN_STOPS = -4.2;
/** How strongly the color of the light shows. */
const TINT = 0.75;
/** Stops that a channel may gain: colored light removes other colors rather than making its own much brighter. */
const MAX_TINT = 0.6;

/**
 * Factors of linear light without any edges: light fades over the picture and around a dome where faces or the subject are. An outline in
 * the light that differs from the outline in the picture would look like a halo.
 */
export function gainsOf(
  plan: LightPlan,
  scene: Scene,
  transfer: Transfer,
  projected: Planes | undefined,
): Planes {
  const { settings, look, strength } = transfer;
  const spread = SPREADS[settings.transferLightB];
  const planned = lightOn(plan, scene, spread.isBroad);
  const whole = projected === undefined ? planned : multiplied(planned, projected);
  const stops = luminanceOf(whole).map((light) => Math.log2(0.004 + light));
  const middle = weightedMean(stops, scene);
  const low = quantile(stops, 0.04) - middle;
  const span = Math.max(0.05, quantile(stops, 0.97) - middle - low);
  const tint = TINT * look.tint * spread.tint;
  const tooBright = stops.map((light, at) => {
    const strongest = Math.log2(0.004 + Math.max(whole[0][at] ?? 0, whole[1][at] ?? 0, whole[2][at] ?? 0));
    return Math.max(0, tint * (strongest - light) - MAX_TINT);
  });
  const amounts = amountsOf(scene, settings.transferLightA);
  const exposure = plan.exposure + look.exposure;
  return mapValues(whole, (value, at) => {
    const here = (stops[at] ?? 0) - middle;
    const share = clamp((here - low) / span, 0, 1);
    const placed = low + spread.place(share) * span + (here - low - share * span);
    const amount = strength * (amounts[at] ?? 0);
    const part = amount * spread.weight(share);
    const color = tint * (Math.log2(0.004 + value) - (stops[at] ?? 0)) - (tooBright[at] ?? 0);
    const change = amount * exposure + part * (placed * look.relief * spread.relief + color);
    return 2 ** clamp(change, MIN_STOPS, MAX_STOPS);
  });
}

function lightOn(
  { lights, ambient, softness }: LightPlan,
  { width, height, form }: Scene,
  isBroad: boolean,
): Planes {
  const half = Math.max(width, height) / 2;
  const [centerX, centerY] = form.center;
  const planes = [0, 1, 2].map((channel) => new Float32Array(width * height).fill(ambient[channel] ?? 0));
  const [fall, turn] = [1.7 - 0.9 * softness, isBroad ? 0 : 2.2 - 1.2 * softness];
  for (const light of lights) {
    const [x, y, z] = light.from;
    // Light from behind reaches less of what faces the viewer.
    const power = light.power * (z < 0 ? 0.55 : 1);
    for (let at = 0; at < width * height; at++) {
      const across = ((at % width) - centerX) / half;
      const down = (Math.floor(at / width) - centerY) / half;
      const near = fall * Math.tanh(x * across + y * down) - 0.25 * (across * across + down * down);
      const facing = turn * Math.tanh(x * (form.x[at] ?? 0) + y * (form.y[at] ?? 0));
      const lit = power * 2 ** (near + facing);
      planes.forEach((plane, channel) => {
        plane[at] = (plane[at] ?? 0) + lit * (light.color[channel] ?? 0);
      });
    }
  }
  return planes as unknown as Planes;
}

function multiplied(one: Planes, other: Planes): Planes {
  return mapValues(one, (value, at, channel) => value * (other[channel][at] ?? 1));
}

/** Faces count most: as a whole they keep their light, and exposure decides how bright they are. */
function weightedMean(stops: Float32Array, { skin, subject }: Scene): number {
  let [sum, total] = [0, 0];
  for (let at = 0; at < stops.length; at++) {
    const weight = 0.15 + Math.max(skin[at] ?? 0, subject?.matte[at] ?? 0);
    sum += weight * (stops[at] ?? 0);
    total += weight;
  }
  return sum / total;
}

function amountsOf(scene: Scene, transfer: RelightSettings['transferLightA']): Float32Array {
  const { at: ofTone, onSkin } = AMOUNTS[transfer];
  // Blurred, or the edges of things would show in the light.
  const smooth = softBlur(scene.tone, scene, Math.max(scene.width, scene.height) / 16);
  return smooth.map((tone, at) => ofTone(clamp(tone, 0, 1)) + onSkin * (scene.skin[at] ?? 0));
}

/** Light that is visible in the air: haze, shafts, and the veil of a lamp behind the subject. */
export function airOf(plan: LightPlan, { width, height }: Scene, haze: number, seed: number): Planes {
  const level = 2 ** clamp(plan.exposure, -2, 0.6);
  const [key] = plan.lights;
  const veil = key !== undefined && key.from[2] < 0 ? 0.16 : 0;
  const beams = new Float32Array(width * height);
  if (key !== undefined && (veil > 0 || plan.rays > 0)) {
    const shafts = shaftsOf(key, width, height, seed);
    for (let at = 0; at < beams.length; at++) {
      const { glow, streak } = shafts(at);
      beams[at] = veil * glow + 0.22 * plan.rays * streak;
    }
  }
  return mapPlanes([beams, beams, beams], (plane, channel) => {
    const color = key?.color[channel] ?? 1;
    const mist = 0.35 * haze * (color + 2 * (plan.ambient[channel] + 0.2)) * 0.4;
    return plane.map((beam) => level * (mist + color * beam));
  });
}

/** Shafts around the source of the light, which is mostly outside of the picture. */
function shaftsOf({ from }: Light, width: number, height: number, seed: number) {
  const longer = Math.max(width, height);
  const reach = from[2] < 0 ? 0.6 : 0.8;
  const sourceX = width / 2 + from[0] * reach * longer;
  const sourceY = height / 2 + Math.min(-0.3, from[1]) * reach * longer;
  const phases = [7.1, 12.7, 19.3].map((count, index) => [count, (seed * (index + 1)) % 6.28] as const);
  return (at: number): { glow: number; streak: number } => {
    const x = (at % width) - sourceX;
    const y = Math.floor(at / width) - sourceY;
    const angle = Math.atan2(y, x);
    const wave = phases.reduce((sum, [count, phase]) => sum + Math.sin(angle * count * 2 + phase), 0) / 3;
    const distance = Math.hypot(x, y) / longer;
    return {
      glow: Math.exp(-((distance / 0.5) ** 2)),
      streak: (0.5 + 0.5 * wave) ** 2 / (1 + 2 * distance ** 2),
    };
  };
}
