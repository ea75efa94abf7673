import { type CheckContext, type FileChoices, type NodeContext, parseFileName } from '@atelier/engine';
import { decodePicture } from '../codecs/decode-picture.ts';
import type { DecodedPictures } from '../codecs/decoded-pictures.ts';

/** The pictures in the input folder, by their endings. The decoder goes by the content. */
export const inputPictures: FileChoices = {
  folder: 'input',
  endings: 'apng avif bmp gif heic heif jfif jpe jpg jpeg pbm pgm pnm ppm png tif tiff webp'.split(' '),
};

export async function readPicture(name: string, context: NodeContext): Promise<DecodedPictures> {
  return await decodePicture(parseFileName(name), context);
}

export const pictureMustExist = { inputs: ['image'], check: { kind: 'file', media: 'image' } } as const;

/** Hashes the content, because another picture may have the same name. */
export async function pictureFingerprint(
  { image }: { readonly image?: unknown },
  { files }: CheckContext,
): Promise<string | number> {
  return typeof image === 'string' ? await files.contentHash(parseFileName(image)) : Number.NaN;
}
