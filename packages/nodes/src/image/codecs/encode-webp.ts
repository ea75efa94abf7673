import { valueError } from '@atelier/engine';
import type { Image } from '../../values/image.ts';
import { batchBytes } from '../resize/bytes.ts';
import type { EncodeWork } from './deflate-rows.ts';
import { loadSharp } from './load-sharp.ts';
import { addExif, type ExifText, exifBlock, stretchFrames } from './webp-exif.ts';

export interface WebpOptions {
  readonly lossless: boolean;
  /** 0 to 100: the quality, or the effort for lossless files. */
  readonly quality: number;
  /** 0 is fast, 6 is thorough. */
  readonly effort: number;
  readonly durationMs: number;
  readonly exif?: readonly ExifText[];
}

/** The format's own limit. */
const MAX_WEBP_EDGE = 16383;
/** libvips changes short times and sharp refuses long ones, so the true time is written afterwards. */
const DELAY_MS = 100;

export async function encodeWebp(
  image: Image,
  { lossless, quality, effort, durationMs, exif = [] }: WebpOptions,
  work: EncodeWork,
): Promise<Uint8Array<ArrayBuffer>> {
  const { batch, width, height } = image;
  const channels = webpChannels(image);
  const bytes = batchBytes(image, work);
  const sharp = await loadSharp();
  const encoded = await sharp(bytes, { raw: { width, height: height * batch, channels, pageHeight: height } })
    .webp({
      lossless,
      // The lowest value of sharp is 1, which looks like 0.
      quality: Math.min(100, Math.max(1, Math.round(quality))),
      effort,
      loop: 0,
      delay: Array.from({ length: batch }, () => DELAY_MS),
    })
    .toBuffer();
  work.checkpoint();
  work.memory.free(bytes);
  stretchFrames(encoded, durationMs / DELAY_MS);
  return exif.length === 0
    ? encoded
    : addExif(encoded, exifBlock(exif), { width, height, hasAlpha: channels === 4 });
}

function webpChannels({ width, height, channels }: Image): 1 | 3 | 4 {
  if (Math.max(width, height) > MAX_WEBP_EDGE) {
    throw valueError(
      `A picture of ${width}×${height} pixels is too large for WebP, whose edges end at 16383.`,
    );
  }
  if (channels === 1 || channels === 3 || channels === 4) return channels;
  throw valueError(`A picture with ${channels} channels cannot be saved as WebP; 1, 3 or 4 can.`);
}
