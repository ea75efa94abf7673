import { loadSharp } from '@atelier/nodes/sharp';

const MAX_SIDE = 512;
const MAX_BYTES = 100_000;
const QUALITIES = [80, 60, 40];

export interface SmallPicture {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly image_type: 'image/jpeg' | 'image/png';
}

/** A JPEG that is small enough to travel several times a second; `undefined` when the bytes are not a picture. */
export async function shrinkPreview(bytes: Uint8Array<ArrayBuffer>): Promise<SmallPicture | undefined> {
  try {
    const sharp = await loadSharp();
    const { width, height, format } = await sharp(bytes).metadata();
    if (format === 'jpeg' && Math.max(width, height) <= MAX_SIDE && bytes.length <= MAX_BYTES)
      return { bytes, image_type: 'image/jpeg' };
    let side = MAX_SIDE;
    for (let tries = 0; ; tries += 1) {
      const fit = { width: side, height: side, fit: 'inside', withoutEnlargement: true } as const;
      const small = await sharp(bytes)
        .resize(fit)
        .flatten({ background: 'black' })
        .jpeg({ quality: QUALITIES[tries] ?? QUALITIES.at(-1) ?? 40 })
        .toBuffer();
      if (small.length <= MAX_BYTES || tries > QUALITIES.length)
        return { bytes: Uint8Array.from(small), image_type: 'image/jpeg' };
      if (tries >= QUALITIES.length - 1) side = Math.floor(side / 2);
    }
  } catch {
    return undefined;
  }
}

/** By its first bytes. */
export function pictureType(bytes: Uint8Array): SmallPicture['image_type'] {
  return bytes[0] === 0x89 ? 'image/png' : 'image/jpeg';
}
