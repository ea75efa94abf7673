import type { CameraPlan } from '../camera.ts';
import { lerp } from '../curves.ts';
import type { Size } from '../planes.ts';
import { between, seededRandom } from '../random.ts';
import type { Stage } from '../stage.ts';
import type { Brief } from './brief.ts';
import { composeScene } from './compose-scene.ts';
import { lightOf } from './light.ts';
import { readPrompt } from './read-prompt.ts';
import { SHAPES } from './shapes.ts';
import type { Site } from './site.ts';
import { surveyCamera } from './survey.ts';

export interface SceneSettings {
  readonly size: Size;
  readonly prompt: string;
  readonly seconds: number;
  readonly seed: number;
  readonly plan: CameraPlan;
  readonly style: 'general' | 'anime';
}

/** About how deep in the scene the homes of figures are. */
const DEPTHS = { near: 0.6, road: 0.5, water: 0.3, far: 0.28, sky: 0.12 } as const;

/** The first figure is what a camera orbits. */
function pivotOf({ setting, subjects: [first] }: Brief): number | undefined {
  return setting === 'landscape' && first !== undefined ? DEPTHS[SHAPES[first].home] : undefined;
}

/** A scene that is made up from a prompt. */
export async function createSceneStage(settings: SceneSettings): Promise<Stage> {
  const { size, prompt, seconds, seed, plan, style } = settings;
  const random = seededRandom(seed, 'scene');
  const isCel = style === 'anime';
  const brief = readPrompt(prompt, random);
  const light = lightOf(brief, random, { isCel });
  const camera = surveyCamera(size, plan, pivotOf(brief));
  const site: Site = {
    size,
    density: camera.density,
    horizon: Math.round(size.height * between(random, 0.52, 0.6)),
    brief,
    light,
    seed: Math.floor(random() * 1e6),
    random,
    isCel,
    seconds,
    room: camera.room,
    way: camera.way,
    isTracking: camera.isTracking,
    opensUp: camera.opensUp,
    isClosing: camera.isClosing,
  };
  const { elements, focus } = await composeScene(site, prompt);
  const heading = focus ?? {
    x: size.width * (0.5 + plan.heading / 2),
    // A little below the horizon.
    y: lerp(site.horizon, size.height / 2, 0.35),
  };
  return {
    look: {
      vignette: 0.28,
      bloom: 0.4 + 0.45 * light.dark,
      contrast: brief.mood.contrast,
      saturation: brief.mood.saturation * (isCel ? 1.15 : 1),
      cel: isCel,
    },
    lookAt: () => 1,
    draw(planes, moment) {
      const view = { ...moment, heading, camera: camera.at(moment.progress, moment.seconds) };
      for (const element of elements) element.draw(planes, view);
    },
  };
}
