import { type Picture, readPicture } from '../pixels/picture.ts';
import type { VideoSettings } from '../render-request.ts';
import { planCamera } from './camera.ts';
import { createMoveStage } from './camera-move/move-stage.ts';
import { seededRandom } from './random.ts';
import { createSceneStage } from './scene/scene-stage.ts';
import type { Stage } from './stage.ts';

/** The start frame is read larger than the video, so that it stays sharp when the camera comes closer. */
const OVERSIZE = 1.3;

export async function createStage({
  image,
  settings,
}: {
  readonly image?: string | undefined;
  readonly settings: VideoSettings;
}): Promise<Stage> {
  const { width, height, prompt, seed, movement, style } = settings;
  const size = { width, height };
  const plan = planCamera(prompt, { movement, random: seededRandom(seed, 'camera') });
  if (image === undefined) return createSceneStage({ size, prompt, seed, plan, style });
  const enlarged = (length: number): number => Math.round((length * OVERSIZE) / 2) * 2;
  const picture = await readPicture(image, { cover: { width: enlarged(width), height: enlarged(height) } });
  return createMoveStage(flattened(picture), size, plan);
}

/** Fills transparent parts with a dark shade of the picture's mean color. */
function flattened(picture: Picture): Picture {
  const { rgb, alpha } = picture;
  if (!alpha) return picture;
  const sums = [0, 0, 0];
  let total = 1;
  for (let at = 0; at < rgb.length; at++) {
    const cover = alpha[Math.floor(at / 3)] as number;
    sums[at % 3] = (sums[at % 3] as number) + (rgb[at] as number) * cover;
    total += cover / 3;
  }
  const behind = sums.map((sum) => (sum / total) * 0.35 + 10);
  const flat = rgb.map((value, at) => {
    const part = (alpha[Math.floor(at / 3)] as number) / 255;
    return value * part + (behind[at % 3] as number) * (1 - part);
  });
  return { ...picture, rgb: flat, alpha: undefined };
}
