import { type Picture, readPicture } from '../pixels/picture.ts';
import type { VideoSettings } from '../render-request.ts';
import { planCamera } from './camera.ts';
import { createPhotoStage } from './photo/photo-stage.ts';
import { seededRandom } from './random.ts';
import { createSceneStage } from './scene/scene-stage.ts';
import type { Stage } from './stage.ts';

/** More of a start frame than is shown at once, so that it stays sharp when the camera comes closer. */
const OVERSIZE = 1.3;

export async function createStage({
  image,
  settings,
}: {
  readonly image?: string | undefined;
  readonly settings: VideoSettings;
}): Promise<Stage> {
  const { width, height, prompt, seconds, seed, movement, style } = settings;
  const size = { width, height };
  const random = seededRandom(seed, 'camera');
  if (image === undefined) {
    const plan = planCamera(prompt, {
      movement,
      random,
      free: [
        'push in',
        'push in',
        'pan left',
        'pan right',
        'orbit left',
        'orbit right',
        'pull out',
        'tilt up',
      ],
    });
    return await createSceneStage({ size, prompt, seconds, seed, plan, style });
  }
  const cover = {
    width: Math.round((width * OVERSIZE) / 2) * 2,
    height: Math.round((height * OVERSIZE) / 2) * 2,
  };
  const picture = await readPicture(image, { cover });
  const plan = planCamera(prompt, {
    movement,
    random,
    free: ['push in', 'push in', 'orbit left', 'orbit right', 'pull out', 'pan left', 'pan right'],
  });
  return createPhotoStage(flattened(picture), { size, prompt, seed, plan });
}

/** What is transparent is filled with a dark shade of the picture's own color. */
function flattened(picture: Picture): Picture {
  const { rgb, alpha } = picture;
  if (!alpha) return picture;
  const sums = [0, 0, 0];
  let total = 1;
  for (let pixel = 0; pixel < alpha.length; pixel++) {
    const cover = alpha[pixel] as number;
    total += cover;
    for (let channel = 0; channel < 3; channel++) {
      sums[channel] = (sums[channel] as number) + (rgb[pixel * 3 + channel] as number) * cover;
    }
  }
  const behind = sums.map((sum) => (sum / total) * 0.35 + 10);
  const flat = rgb.slice();
  for (let pixel = 0; pixel < alpha.length; pixel++) {
    const part = (alpha[pixel] as number) / 255;
    for (let channel = 0; channel < 3; channel++) {
      const at = pixel * 3 + channel;
      flat[at] = (flat[at] as number) * part + (behind[channel] as number) * (1 - part);
    }
  }
  return { ...picture, rgb: flat, alpha: undefined };
}
