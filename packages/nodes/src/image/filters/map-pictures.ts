import type { NodeContext } from '@atelier/engine';
import { type Image, newImage, picture } from '../../values/image.ts';
import { eachPicture } from '../each-picture.ts';

export type PictureWork = (
  source: Float32Array<ArrayBuffer>,
  target: Float32Array<ArrayBuffer>,
  index: number,
) => void;

/** A new batch of the same shape, made picture by picture; the work writes every element of its target. */
export async function mapPictures(image: Image, context: NodeContext, work: PictureWork): Promise<Image> {
  const result = newImage(context.memory, image);
  await eachPicture(result, context, (index) => work(picture(image, index), picture(result, index), index));
  return result;
}
