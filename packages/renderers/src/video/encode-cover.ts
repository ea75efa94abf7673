import { type Size, type StoredPlanes, storedToRgb } from './planes.ts';

/** The picture is read at once; the frame may be gone when the JPEG is ready. */
export async function encodeCover({ width, height }: Size, stored: StoredPlanes): Promise<Buffer> {
  const pixels = storedToRgb({ width, height }, stored);
  const { default: sharp } = await import('sharp');
  return await sharp(pixels, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 90 })
    .toBuffer();
}
