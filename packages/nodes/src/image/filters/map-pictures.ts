import type { NodeContext } from '@atelier/engine';
import { type Image, newImage, picture } from '../../values/image.ts';

export type PictureWork = (
  source: Float32Array<ArrayBuffer>,
  target: Float32Array<ArrayBuffer>,
  index: number,
) => void;

/** A new batch of the same shape, made picture by picture; the work writes every element of its target. */
export function mapPictures(image: Image, context: NodeContext, work: PictureWork): Image {
  const result = newImage(context.memory, image);
  for (let index = 0; index < image.batch; index++) {
    work(picture(image, index), picture(result, index), index);
    context.progress(index + 1, image.batch);
  }
  return result;
}
