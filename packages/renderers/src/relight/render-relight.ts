import { scaleColor, tintOf } from '../pixels/color.ts';
import { readPicture, writePicture } from '../pixels/picture.ts';
import type { RelightRequest, RelightSettings, RenderOptions } from '../render-request.ts';
import { type Application, openPass } from './apply/apply-layers.ts';
import { addGlow, type Extras, layersOf, previewLayers } from './apply/layers.ts';
import { tonesFor } from './apply/tones.ts';
import { backdropFor, backdropShare } from './backdrop/backdrop-for.ts';
import { clamp } from './field.ts';
import { gainsOf } from './light/gains.ts';
import { joinPlans } from './light/join-plans.ts';
import { DEFAULT_PLAN, type LightPlan } from './light/light-plan.ts';
import { lightOfMap, lightOfReference, type ProjectedLight, project } from './light/projected-light.ts';
import { raysOf } from './light/rays.ts';
import { shadeScene } from './light/shade-scene.ts';
import { varyPlan } from './light/vary-plan.ts';
import { ENGINES } from './look/engines.ts';
import { combineLooks, type Look } from './look/look.ts';
import { STYLES } from './look/styles.ts';
import { planFromPrompt } from './prompt/plan-from-prompt.ts';
import type { Overview } from './scene/overview.ts';
import { readScene, type Scene } from './scene/scene.ts';

const FIXED_SEED = 20_250;
/** Rows between two looks at the signal. */
const ROWS_AT_ONCE = 256;

/** Lays the light of a reference, of a light map or of a prompt's words over a picture. */
export async function renderRelight(request: RelightRequest, options: RenderOptions = {}): Promise<void> {
  const { signal, onProgress } = options;
  const advance = (done: number): void => {
    signal?.throwIfAborted();
    onProgress?.(done);
  };
  advance(0);
  const picture = await readPicture(request.input);
  advance(0.15);
  const scene = readScene(picture);
  advance(0.35);
  const projected = await readProjected(request, scene.overview);
  advance(0.42);
  const pass = openPass(picture.width, workOut(scene, request.settings, projected));
  advance(0.6);
  for (let row = 0; row < picture.height; row += ROWS_AT_ONCE) {
    const rowBytes = picture.width * 3;
    pass.run(picture.rgb.subarray(row * rowBytes, (row + ROWS_AT_ONCE) * rowBytes), row);
    advance(0.6 + 0.25 * Math.min(1, (row + ROWS_AT_ONCE) / picture.height));
  }
  await writePicture(picture, request.output);
  advance(1);
}

async function readProjected(
  { reference, lightMap }: RelightRequest,
  overview: Overview,
): Promise<ProjectedLight | undefined> {
  const cover = { width: overview.width, height: overview.height };
  if (reference !== undefined) return lightOfReference(await readPicture(reference, { cover }), overview);
  if (lightMap !== undefined) return lightOfMap(await readPicture(lightMap, { cover }));
  return undefined;
}

/** All that is decided before the pass over the picture. */
function workOut(
  scene: Scene,
  settings: RelightSettings,
  projected: ProjectedLight | undefined,
): Application {
  const seed = settings.fixedGeneration ? FIXED_SEED : settings.seed;
  const look = combineLooks(STYLES[settings.style], ENGINES[settings.engine]);
  // Interpolated from the original, the picture is relit in full and then mixed.
  const share = settings.interpolateFromOriginal ? settings.strength / 100 : 1;
  const strength = settings.interpolateFromOriginal ? 1 : settings.strength / 100;
  const plan = planFor(settings, projected, look, seed);
  const shaded = shadeScene(plan, scene);
  const field = projected === undefined ? shaded : project(shaded, projected);
  const gains = gainsOf(field, scene, { settings, look, strength, exposure: plan.exposure });
  const layers = layersOf(
    gains,
    scene,
    extrasOf(plan, field.rim, scene, { settings, projected, look, strength, seed }),
  );
  const preview = previewLayers(layers, scene);
  const glow = strength * (plan.glow + look.glow);
  if (glow > 0) addGlow(layers, preview, scene, glow);
  const tones = tonesFor(preview, { settings, look, saturation: plan.saturation, strength });
  return { layers, scene, tones, share, dither: Math.min(1, strength * 4), seed };
}

function planFor(
  settings: RelightSettings,
  projected: ProjectedLight | undefined,
  look: Look,
  seed: number,
): LightPlan {
  const words = planFromPrompt(settings.prompt);
  const plan = projected === undefined ? (words ?? DEFAULT_PLAN) : joinPlans(projected.plan, words);
  const softer = { ...plan, softness: clamp(plan.softness + look.softness, 0, 1) };
  return settings.fixedGeneration ? softer : varyPlan(softer, seed);
}

interface Surroundings {
  readonly settings: RelightSettings;
  readonly projected: ProjectedLight | undefined;
  readonly look: Look;
  readonly strength: number;
  readonly seed: number;
}

function extrasOf(
  plan: LightPlan,
  rim: Extras['rim'],
  scene: Scene,
  { settings, projected, look, strength, seed }: Surroundings,
): Extras {
  const [key = DEFAULT_PLAN.lights[0]] = plan.lights;
  const color = key?.color ?? [1, 1, 1];
  const backdrop =
    settings.changeBackground && scene.confidence > 0 ? backdropFor(plan, projected, scene, seed) : undefined;
  const haze = clamp(plan.haze + look.haze, 0, 1) * strength;
  const air = tintOf([
    color[0] + 2 * (plan.ambient[0] + 0.2),
    color[1] + 2 * (plan.ambient[1] + 0.2),
    color[2] + 2 * (plan.ambient[2] + 0.2),
  ]);
  return {
    rim,
    edgeShare: strength * (settings.transferLightB === 'composition' ? 0.4 : 1),
    backdropShare: backdropShare(backdrop, scene, strength),
    backdrop,
    subjectHaze: 0.24 * haze,
    backgroundHaze: 0.62 * haze,
    hazeColor: scaleColor(air, 0.42 * 2 ** clamp(plan.exposure, -2, 0.6)),
    rays: plan.rays > 0 && key !== undefined ? raysOf(key, scene, seed) : undefined,
    rayColor: scaleColor(color, 0.34 * plan.rays * strength * 2 ** clamp(plan.exposure * 0.5, -1, 0.5)),
    vignette: plan.vignette * strength,
  };
}
