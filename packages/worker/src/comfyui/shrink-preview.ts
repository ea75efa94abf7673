import { loadSharp } from '@atelier/nodes/sharp';

const MAX_SIDE = 512;
const MAX_BYTES = 100_000;
/** Tried in this order until the picture is small enough. */
const ATTEMPTS = [
  { side: MAX_SIDE, quality: 80 },
  { side: MAX_SIDE, quality: 60 },
  { side: MAX_SIDE, quality: 40 },
  { side: MAX_SIDE / 2, quality: 40 },
  { side: MAX_SIDE / 4, quality: 40 },
];

export interface SmallPicture {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly image_type: 'image/jpeg' | 'image/png';
}

/** A JPEG that is small enough to send several times a second; `undefined` when the bytes are not a picture. */
export async function shrinkPreview(bytes: Uint8Array<ArrayBuffer>): Promise<SmallPicture | undefined> {
  try {
    const sharp = await loadSharp();
    const { width, height, format } = await sharp(bytes).metadata();
    if (format === 'jpeg' && Math.max(width, height) <= MAX_SIDE && bytes.length <= MAX_BYTES)
      return { bytes, image_type: 'image/jpeg' };
    let small = Buffer.alloc(0);
    for (const { side, quality } of ATTEMPTS) {
      small = await sharp(bytes)
        .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
        .flatten({ background: 'black' })
        .jpeg({ quality })
        .toBuffer();
      if (small.length <= MAX_BYTES) break;
    }
    return { bytes: Uint8Array.from(small), image_type: 'image/jpeg' };
  } catch {
    return undefined;
  }
}

/** The media type, by the first byte. */
export function pictureType(bytes: Uint8Array): SmallPicture['image_type'] {
  return bytes[0] === 0x89 ? 'image/png' : 'image/jpeg';
}
