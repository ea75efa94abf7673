import { setImmediate } from 'node:timers/promises';
import { readPicture, writePicture } from '../pixels/picture.ts';
import type { RenderOptions, SkinRequest } from '../render-request.ts';
import { rowFinisher } from './finish-rows.ts';
import { planFor } from './plan.ts';
import { recipeOf } from './recipe.ts';

/** Pixels that are worked on before anybody is asked whether to go on. */
const PIXELS_AT_ONCE = 1 << 20;

/** Retouches the skin in a picture. Size, format and transparency stay as they are. */
export async function renderSkin(request: SkinRequest, options: RenderOptions = {}): Promise<void> {
  const { settings } = request;
  const reached = async (done: number): Promise<void> => {
    // Lets a cancellation come in, which is a message to this thread.
    await setImmediate();
    options.signal?.throwIfAborted();
    options.onProgress?.(done);
  };
  await reached(0);
  const picture = await readPicture(request.input);
  await reached(0.15);
  const recipe = recipeOf(settings);
  const plan = planFor(picture, recipe, settings.seed);
  await reached(0.45);
  const finish = rowFinisher(picture, plan, recipe, settings.seed);
  const rows = Math.max(1, Math.floor(PIXELS_AT_ONCE / picture.width));
  for (let y = 0; y < picture.height; y += rows) {
    finish(y, Math.min(picture.height, y + rows));
    await reached(0.45 + 0.4 * Math.min(1, (y + rows) / picture.height));
  }
  await writePicture(picture, request.output);
  await reached(1);
}
