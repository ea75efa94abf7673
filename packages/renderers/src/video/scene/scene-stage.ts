import { type Camera, type CameraPlan, cameraAt } from '../camera.ts';
import type { Size } from '../planes.ts';
import { between, seededRandom } from '../random.ts';
import type { Stage } from '../stage.ts';
import { composeScene } from './compose-scene.ts';
import { lightOf } from './light.ts';
import { readPrompt } from './read-prompt.ts';
import { densityFor, type Site } from './site.ts';

export interface SceneSettings {
  readonly size: Size;
  readonly prompt: string;
  readonly seed: number;
  readonly plan: CameraPlan;
  readonly style: 'general' | 'anime';
}

/** A scene that is made up from a prompt. */
export async function createSceneStage({ size, prompt, seed, plan, style }: SceneSettings): Promise<Stage> {
  const random = seededRandom(seed, 'scene');
  const isCel = style === 'anime';
  const brief = readPrompt(prompt, random);
  const light = lightOf(brief, random, { isCel });
  const site: Site = {
    size,
    density: densityFor(size),
    horizon: Math.round(size.height * between(random, 0.52, 0.6)),
    brief,
    light,
    seed: Math.floor(random() * 1e6),
    random,
    isCel,
  };
  const elements = await composeScene(site, prompt);
  const last = cameraAt(plan, 1, 0);
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
      const view = {
        ...moment,
        camera: centered(cameraAt(plan, moment.progress, moment.seconds), last),
      };
      for (const element of elements) element.draw(planes, view);
    },
  };
}

/** A move to the side goes as far to the left as to the right of the middle, so that textures need less room. */
function centered(camera: Camera, last: Camera): Camera {
  return {
    ...camera,
    x: camera.x - last.x / 2,
    y: camera.y - last.y / 2,
    orbit: camera.orbit - last.orbit / 2,
  };
}
