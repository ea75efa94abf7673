import { readPicture, writePicture } from '../pixels/picture.ts';
import { clamp, luminanceOf, mapPlanes, mapValues, type Planes, softBlur } from '../pixels/planes.ts';
import { progressReporter } from '../progress-reporter.ts';
import type { RelightRequest, RelightSettings, RenderOptions } from '../render-request.ts';
import { seededRandom } from '../video/random.ts';
import { paintBackdrop } from './backdrop.ts';
import { airOf, gainsOf } from './light-field.ts';
import { joinPlans, lightOfMap, lightOfReference, type ProjectedLight } from './light-of-picture.ts';
import { DEFAULT_PLAN, type LightPlan, toUnit } from './light-plan.ts';
import { lookOf } from './looks.ts';
import { planFromPrompt } from './prompt/plan-from-prompt.ts';
import { type Application, rowRelighter } from './relight-rows.ts';
import { readScene, type Scene } from './scene.ts';
import { tonesFor } from './tones.ts';

const FIXED_SEED = 20_250;
/** Rows between two checks of the signal. */
const ROWS_PER_STEP = 256;

/** Applies the light of a reference, of a light map or of a prompt's words to a picture. */
export async function renderRelight(request: RelightRequest, options: RenderOptions = {}): Promise<void> {
  const reached = progressReporter(options);
  await reached(0);
  const picture = await readPicture(request.input);
  await reached(0.15);
  const scene = await readScene(picture);
  await reached(0.35);
  const projected = await readProjected(request, scene);
  await reached(0.42);
  const relight = rowRelighter(picture, workOut(scene, request.settings, projected));
  await reached(0.6);
  for (let row = 0; row < picture.height; row += ROWS_PER_STEP) {
    relight(row, Math.min(picture.height, row + ROWS_PER_STEP));
    await reached(0.6 + 0.25 * Math.min(1, (row + ROWS_PER_STEP) / picture.height));
  }
  await writePicture(picture, request.output);
  await reached(1);
}

async function readProjected(
  { reference, lightMap }: RelightRequest,
  { width, height, light }: Scene,
): Promise<ProjectedLight | undefined> {
  const cover = { width, height };
  if (reference !== undefined) return await lightOfReference(await readPicture(reference, { cover }), light);
  if (lightMap !== undefined) return await lightOfMap(await readPicture(lightMap, { cover }));
  return undefined;
}

function workOut(
  scene: Scene,
  settings: RelightSettings,
  projected: ProjectedLight | undefined,
): Application {
  const seed = settings.fixedGeneration ? FIXED_SEED : settings.seed;
  const look = lookOf(settings);
  // With interpolation, the picture is relit in full and then mixed with the original.
  const share = settings.interpolateFromOriginal ? settings.strength / 100 : 1;
  const strength = settings.interpolateFromOriginal ? 1 : settings.strength / 100;
  const words = planFromPrompt(settings.prompt);
  const wanted = projected === undefined ? (words ?? DEFAULT_PLAN) : joinPlans(projected.plan, words);
  const softer = { ...wanted, softness: clamp(wanted.softness + look.softness, 0, 1) };
  const plan = settings.fixedGeneration ? softer : varied(softer, seed);

  const gains = withVignette(
    gainsOf(plan, scene, { settings, look, strength }, projected?.factors),
    scene,
    plan,
    strength,
  );
  const fullAir = airOf(plan, scene, clamp(plan.haze + look.haze, 0, 1), seed);
  const air = mapValues(fullAir, (value) => value * strength);
  const lit = mapValues(
    scene.light,
    (value, at, channel) => value * (gains[channel][at] ?? 1) + (air[channel][at] ?? 0),
  );
  const glow = glowOf(lit, scene, strength * (plan.glow + look.glow));
  const preview = added(lit, glow);
  return {
    scene,
    gains,
    added: added(air, glow),
    // A half-transparent backdrop would look like two pictures in one.
    backdrop:
      strength > 0.5 && settings.changeBackground ? backdropFor(plan, projected, scene, seed) : undefined,
    tones: tonesFor(preview, { settings, look, saturation: plan.saturation, strength }),
    share,
    seed,
  };
}

function backdropFor(
  plan: LightPlan,
  projected: ProjectedLight | undefined,
  scene: Scene,
  seed: number,
): Planes | undefined {
  if (scene.subject === undefined) return undefined;
  return projected?.backdrop ?? (plan.backdrop && paintBackdrop(plan.backdrop, scene, seed));
}

/** Another seed gives a variation of the same light. */
function varied(plan: LightPlan, seed: number): LightPlan {
  const random = seededRandom(seed);
  const lights = plan.lights.map(({ from: [x, y, z], color, power }) => ({
    from: toUnit([x + (random() - 0.5) * 0.36, y + (random() - 0.5) * 0.3, z + (random() - 0.5) * 0.2]),
    color,
    power: power * (0.92 + 0.16 * random()),
  }));
  return { ...plan, lights, softness: clamp(plan.softness + (random() - 0.5) * 0.24, 0, 1) };
}

function withVignette(
  gains: Planes,
  { width, height }: Scene,
  { vignette }: LightPlan,
  strength: number,
): Planes {
  return mapValues(gains, (value, at) => {
    const x = ((at % width) + 0.5) / width - 0.5;
    const y = (Math.floor(at / width) + 0.5) / height - 0.5;
    return value * (1 - strength * vignette * clamp((x * x + y * y) * 1.7 - 0.08, 0, 1));
  });
}

/** Bright areas shine over their surroundings. */
function glowOf(lit: Planes, scene: Scene, amount: number): Planes {
  if (amount <= 0) return mapValues(lit, () => 0);
  const longer = Math.max(scene.width, scene.height);
  const shines = luminanceOf(lit).map((light) => clamp((light - 0.3) * 1.6, 0, 1));
  return mapPlanes(lit, (plane) => {
    const bright = plane.map((value, at) => Math.min(1.5, value) * (shines[at] ?? 0));
    const near = softBlur(bright, scene, longer / 40);
    const wide = softBlur(near, scene, longer / 12);
    return near.map((value, at) => amount * (0.12 * value + 0.2 * (wide[at] ?? 0)));
  });
}

function added(one: Planes, other: Planes): Planes {
  return mapValues(one, (value, at, channel) => value + (other[channel][at] ?? 0));
}
