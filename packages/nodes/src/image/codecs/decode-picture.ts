import { type FileRef, type NodeContext, NodeError, valueError } from '@atelier/engine';
import type { FfmpegSource } from './decode-with-ffmpeg.ts';
import { decodeWithSharp } from './decode-with-sharp.ts';
import { checkBounds, type DecodedPictures, damagedPicture, MAX_PIXELS } from './decoded-pictures.ts';
import { type PictureKind, pictureKind } from './picture-kind.ts';

/** Four 16-bit channels of the largest picture, uncompressed. */
const MAX_FILE_BYTES = MAX_PIXELS * 8;

type Work = Pick<NodeContext, 'files' | 'checkpoint'>;

/** Reads a file as pictures, by its content and not by its name. */
export async function decodePicture(ref: FileRef, work: Work): Promise<DecodedPictures> {
  const { files, checkpoint } = work;
  const { name } = ref;
  const sizeBytes = await files.sizeBytes(ref);
  if (sizeBytes === 0) throw new NodeError('OSError', `${name} is empty.`);
  if (sizeBytes > MAX_FILE_BYTES) {
    throw valueError(`${name} is too large: it has ${Math.ceil(sizeBytes / 2 ** 20)} MiB.`);
  }
  const bytes = await files.read(ref);
  checkpoint();
  const kind = pictureKind(bytes);
  if (!kind) {
    throw new NodeError('UnidentifiedImageError', `${name} is not a picture of a kind that can be read.`);
  }
  switch (kind.format) {
    case 'heic':
      throw valueError(`${name} is a HEIC picture, which cannot be read: save it as PNG or JPEG.`);
    case 'apng':
    case 'gif':
    case 'bmp':
    case 'pnm':
      return await decodeFile(ref, kind, work);
    case 'webp': {
      const decoded = await decodeWithSharp({ name, bytes, format: 'webp', checkpoint });
      return { ...decoded, hasAlpha: kind.hasAlpha ?? decoded.hasAlpha };
    }
    case 'png':
      checkBounds(name, { ...kind, frames: 1 });
      return await decodeWithSharp({ name, bytes, format: 'png', checkpoint });
    case 'jpeg':
    case 'tiff':
    case 'avif':
      return await decodeWithSharp({ name, bytes, format: kind.format, checkpoint });
  }
}

async function decodeFile(
  ref: FileRef,
  kind: Extract<PictureKind, { readonly format: FfmpegSource['format'] }>,
  { files, checkpoint }: Work,
): Promise<DecodedPictures> {
  const { name } = ref;
  const { format, width, height } = kind;
  const frames = 'frames' in kind ? kind.frames : 1;
  if ('complete' in kind && !kind.complete) throw damagedPicture(name);
  checkBounds(name, { width, height, frames });
  const path = await files.localPath(ref);
  const { decodeWithFfmpeg } = await import('./decode-with-ffmpeg.ts');
  return decodeWithFfmpeg({ name, path, format, checkpoint }, { width, height, frames });
}
