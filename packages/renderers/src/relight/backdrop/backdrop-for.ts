import { softBlur } from '../../pixels/box-blur.ts';
import { clamp, type Planes, smoothstep } from '../field.ts';
import type { LightPlan } from '../light/light-plan.ts';
import type { ProjectedLight } from '../light/projected-light.ts';
import type { Scene } from '../scene/scene.ts';
import { paintBackdrop } from './paint-backdrop.ts';

/** What takes the background's place: the scene of the reference, the place of the prompt, or nothing new. */
export function backdropFor(
  plan: LightPlan,
  projected: ProjectedLight | undefined,
  scene: Scene,
  seed: number,
): Planes | undefined {
  if (projected?.backdrop !== undefined) return projected.backdrop;
  const [key] = plan.lights;
  if (plan.backdrop === undefined || key === undefined) return undefined;
  return paintBackdrop(plan.backdrop, key, scene.overview, seed);
}

/** How much of it is seen where: what the subject stands on stays, in the new light. */
export function backdropShare(
  backdrop: Planes | undefined,
  { overview, matte, ground, confidence }: Scene,
  strength: number,
): Float32Array {
  const share = new Float32Array(ground.length);
  if (backdrop === undefined) return share;
  const near = softBlur(matte.values, overview, Math.max(overview.width, overview.height) / 30);
  // Half a backdrop would be two pictures on one: it is seen where the outline is sure, or not at all.
  const most = strength * smoothstep(0.35, 0.7, confidence);
  for (let at = 0; at < share.length; at++) {
    const stands = (ground[at] ?? 0) * (0.82 + 0.18 * (near[at] ?? 0));
    share[at] = most * clamp(1 - stands, 0, 1);
  }
  return share;
}
