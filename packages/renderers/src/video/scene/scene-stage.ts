import { lerp } from '../../pixels/planes.ts';
import type { CameraPlan } from '../camera.ts';
import type { Size } from '../planes.ts';
import { between, seededRandom } from '../random.ts';
import type { Stage } from '../stage.ts';
import { composeAbstract } from './abstract.ts';
import { composeLandscape } from './landscape.ts';
import { lightOf } from './light.ts';
import { readPrompt } from './read-prompt.ts';
import type { Site } from './site.ts';
import { surveyCamera } from './survey.ts';
import { composeUnderwater } from './underwater.ts';

export interface SceneSettings {
  readonly size: Size;
  readonly prompt: string;
  readonly seed: number;
  readonly plan: CameraPlan;
  readonly style: 'general' | 'anime';
}

const COMPOSERS = {
  landscape: composeLandscape,
  underwater: composeUnderwater,
  abstract: composeAbstract,
} as const;

export function createSceneStage({ size, prompt, seed, plan, style }: SceneSettings): Stage {
  const random = seededRandom(seed, 'scene');
  const isCel = style === 'anime';
  const brief = readPrompt(prompt, random);
  const light = lightOf(brief, random);
  const camera = surveyCamera(size, plan);
  const site: Site = {
    size,
    density: camera.density,
    horizon: Math.round(size.height * between(random, 0.52, 0.6)),
    brief,
    light,
    seed: Math.floor(random() * 1e6),
    random,
    room: camera.room,
  };
  const elements = COMPOSERS[brief.setting](site);
  // A little below the horizon.
  const heading = {
    x: size.width * (0.5 + plan.heading / 2),
    y: lerp(site.horizon, size.height / 2, 0.35),
  };
  return {
    look: {
      vignette: 0.28,
      bloom: 0.4 + 0.45 * light.dark,
      contrast: brief.mood.contrast,
      saturation: brief.mood.saturation * (isCel ? 1.4 : 1),
      cel: isCel,
    },
    lookAt: () => 1,
    draw(planes, moment) {
      const view = { ...moment, heading, camera: camera.at(moment.progress, moment.seconds) };
      for (const element of elements) element.draw(planes, view);
    },
  };
}
