import { mixColors, tintOf } from '../../pixels/color.ts';
import { clamp } from '../field.ts';
import type { Light, LightPlan } from './light-plan.ts';

/** A prompt beside a reference or a light map: those give the light, the words change it. */
export function joinPlans(given: LightPlan, words: LightPlan | undefined): LightPlan {
  if (words === undefined) return given;
  return {
    lights: given.lights.map((light, index) => joined(light, words.lights[index] ?? words.lights[0])),
    ambient: [
      given.ambient[0] * tone(words, 0),
      given.ambient[1] * tone(words, 1),
      given.ambient[2] * tone(words, 2),
    ],
    exposure: clamp(given.exposure + words.exposure * 0.7, -2.6, 1.5),
    softness: clamp(given.softness + words.softness - 0.45, 0, 1),
    haze: Math.max(given.haze, words.haze),
    rays: Math.max(given.rays, words.rays),
    glow: Math.max(given.glow, words.glow),
    saturation: clamp(given.saturation + words.saturation, -1, 0.8),
    vignette: Math.max(given.vignette, words.vignette),
    backdrop: given.backdrop ?? words.backdrop,
  };
}

function joined(light: Light, words: Light | undefined): Light {
  if (words === undefined) return light;
  const from = light.from.map((value, axis) => value + 0.8 * (words.from[axis] ?? 0));
  const length = Math.hypot(...from) || 1;
  return {
    from: [(from[0] ?? 0) / length, (from[1] ?? 0) / length, (from[2] ?? 0) / length],
    color: [
      light.color[0] * words.color[0] ** 0.7,
      light.color[1] * words.color[1] ** 0.7,
      light.color[2] * words.color[2] ** 0.7,
    ],
    power: light.power * words.power,
    rim: Math.max(light.rim, words.rim),
  };
}

function tone({ ambient }: LightPlan, channel: 0 | 1 | 2): number {
  return mixColors([1, 1, 1], tintOf(ambient), 0.5)[channel];
}
