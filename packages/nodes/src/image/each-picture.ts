import type { NodeContext } from '@atelier/engine';
import { type Image, newImage, picture } from '../values/image.ts';
import { previewFrame } from './codecs/preview-frame.ts';

/** Works on the pictures of a batch in turn, and reports progress with a preview of `image`, which the work fills. */
export async function eachPicture(
  image: Image,
  context: Pick<NodeContext, 'memory' | 'checkpoint' | 'progress' | 'wantsPreview'>,
  work: (index: number) => void | Promise<void>,
): Promise<void> {
  for (let index = 0; index < image.batch; index++) {
    await work(index);
    const preview = context.wantsPreview() ? await previewFrame(image, index, context) : undefined;
    context.progress(index + 1, image.batch, preview);
  }
}

/** A new batch of the same shape. `work` must write every element of its target. */
export async function mapPictures(
  image: Image,
  context: NodeContext,
  work: (source: Float32Array<ArrayBuffer>, target: Float32Array<ArrayBuffer>, index: number) => void,
): Promise<Image> {
  const result = newImage(context.memory, image);
  await eachPicture(result, context, (index) => work(picture(image, index), picture(result, index), index));
  return result;
}
