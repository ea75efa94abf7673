import { type CheckContext, type FileChoices, type NodeContext, parseFileName } from '@atelier/engine';
import { decodePicture } from '../codecs/decode-picture.ts';
import type { DecodedPictures } from '../codecs/decoded-pictures.ts';

/** The pictures in the input folder, by their endings; what is loaded depends on what is in the file. */
export const inputPictures: FileChoices = {
  folder: 'input',
  endings: 'apng avif bmp gif heic heif jfif jpe jpg jpeg pbm pgm pnm ppm png tif tiff webp'.split(' '),
};

/** Decodes the file that a node was told, which may be `name [output]`. */
export async function readPicture(name: string, context: NodeContext): Promise<DecodedPictures> {
  return await decodePicture(parseFileName(name), context);
}

export const pictureMustExist = { inputs: ['image'], check: { kind: 'file', media: 'image' } } as const;

/** The file's content: the same name with another picture in it is another input. */
export async function pictureFingerprint(
  { image }: { readonly image?: unknown },
  { files }: CheckContext,
): Promise<string | number> {
  return typeof image === 'string' ? await files.contentHash(parseFileName(image)) : Number.NaN;
}
