import { createHash } from 'node:crypto';
import type { NodeContext } from '@atelier/engine';
import { type SavedFile, type SaveOptions, saveNumbered } from '../../files/save-path.ts';
import { type Image, picture } from '../../values/image.ts';
import { encodePng, type PngOptions } from '../codecs/encode-png.ts';
import type { PngText } from '../codecs/png-chunks.ts';

/** Saved files are compressed harder than previews, which are seen once. */
export const SAVE_LEVEL = 4;
const PREVIEW_LEVEL = 1;

/** The letters of ComfyUI: there is no w, and p is there twice. */
const LETTERS = 'abcdefghijklmnopqrstupvxyz';

export async function savePictures(
  image: Image,
  prefix: string,
  {
    ending,
    folder = 'output',
    isNewPrefix = false,
    ...png
  }: PngOptions & Pick<SaveOptions, 'ending' | 'folder' | 'isNewPrefix'>,
  context: NodeContext,
): Promise<readonly SavedFile[]> {
  const { width, height, batch } = image;
  async function* encoded(): AsyncGenerator<Uint8Array> {
    for (let index = 0; index < batch; index++) {
      yield await encodePng(picture(image, index), image, png, context);
      context.progress(index + 1, batch);
    }
  }
  return await saveNumbered(prefix, encoded(), { ending, folder, isNewPrefix, width, height }, context);
}

/** Saves pictures in the `temp` folder, under a name that no other node of the job takes. */
export async function savePreviews(
  image: Image,
  context: NodeContext,
  { prefix = 'ComfyUI', text = [] }: { readonly prefix?: string; readonly text?: readonly PngText[] } = {},
): Promise<readonly SavedFile[]> {
  const name = `${prefix}_temp_${lettersOf(context)}`;
  return await savePictures(
    image,
    name,
    { ending: '_.png', folder: 'temp', isNewPrefix: true, level: PREVIEW_LEVEL, text },
    context,
  );
}

/** Five letters that are the same for each run of a node in a job. */
function lettersOf({ jobId, nodeId }: NodeContext): string {
  const digest = createHash('sha256').update(`${jobId}\0${nodeId}`).digest();
  return Array.from(digest.subarray(0, 5), (byte) => LETTERS[byte % LETTERS.length]).join('');
}
