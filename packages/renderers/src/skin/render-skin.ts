import { readPicture, writePicture } from '../pixels/picture.ts';
import { progressReporter } from '../progress-reporter.ts';
import type { RenderOptions, SkinRequest } from '../render-request.ts';
import { rowFinisher } from './finish-rows.ts';
import { recipeOf } from './recipe.ts';

/** Pixels between two checks of the signal. */
const PIXELS_PER_STEP = 1 << 20;

/** Retouches the skin in a picture. Size, format and transparency stay as they are. */
export async function renderSkin(request: SkinRequest, options: RenderOptions = {}): Promise<void> {
  const { settings } = request;
  const reached = progressReporter(options);
  await reached(0);
  const picture = await readPicture(request.input);
  await reached(0.15);
  const finish = await rowFinisher(picture, recipeOf(settings), settings.seed);
  await reached(0.45);
  const rows = Math.max(1, Math.floor(PIXELS_PER_STEP / picture.width));
  for (let y = 0; y < picture.height; y += rows) {
    finish(y, Math.min(picture.height, y + rows));
    await reached(0.45 + 0.4 * Math.min(1, (y + rows) / picture.height));
  }
  await writePicture(picture, request.output);
  await reached(1);
}
