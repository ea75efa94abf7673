import type { NodeContext } from '@atelier/engine';
import type { Image } from '../values/image.ts';
import { previewFrame } from './codecs/preview-frame.ts';

/**
 * Does the work for every picture of a batch, one after the other, and says how far it is. `image` is what the work
 * fills: its pictures are shown while it goes on.
 */
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
