import { randomNumbers } from '../backdrop/noise.ts';
import { clamp } from '../field.ts';
import type { LightPlan } from './light-plan.ts';

/** Moves the lights and changes their softness a little, so that another seed is another take of the same light. */
export function varyPlan(plan: LightPlan, seed: number): LightPlan {
  const random = randomNumbers(seed);
  const lights = plan.lights.map((light) => {
    const [x, y, z] = light.from;
    const turned = [
      x + (random() - 0.5) * 0.36,
      y + (random() - 0.5) * 0.3,
      z + (random() - 0.5) * 0.2,
    ] as const;
    const length = Math.hypot(...turned) || 1;
    return {
      ...light,
      from: [turned[0] / length, turned[1] / length, turned[2] / length] as const,
      power: light.power * (0.92 + 0.16 * random()),
    };
  });
  return { ...plan, lights, softness: clamp(plan.softness + (random() - 0.5) * 0.24, 0, 1) };
}
