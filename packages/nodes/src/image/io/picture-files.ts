import { type CheckContext, type ChoiceFiles, type NodeContext, parseFileName } from '@atelier/engine';
import { fileMustExist } from '../../files/missing-file.ts';
import { decodePicture } from '../codecs/decode-picture.ts';
import type { DecodedPictures } from '../codecs/decoded-pictures.ts';

/** Endings of files that are offered; what is loaded depends on what is in the file. */
const PICTURE_NAME = /\.(?:apng|avif|bmp|gif|heic|heif|jfif|jpe|jpe?g|p[bgnp]m|png|tiff?|webp)$/i;

/** The pictures in the input folder. */
export async function inputPictures(files: ChoiceFiles): Promise<readonly string[]> {
  return (await files.list('input', '')).filter((name) => PICTURE_NAME.test(name)).toSorted();
}

/** Decodes the file that a node was told, which may be `name [output]`. */
export async function readPicture(name: string, context: NodeContext): Promise<DecodedPictures> {
  return await decodePicture(parseFileName(name), context);
}

export const pictureMustExist = fileMustExist('image', 'image');

/** The file's content: the same name with another picture in it is another input. */
export async function pictureFingerprint(
  { image }: { readonly image?: unknown },
  { files }: CheckContext,
): Promise<string | number> {
  return typeof image === 'string' ? await files.contentHash(parseFileName(image)) : Number.NaN;
}
