import type { SharpOptions } from 'sharp';

import { invalid } from '../errors/app-error.ts';
import { detectedType, readHead } from '../files/read-head.ts';
import { loadSharp } from './load-sharp.ts';

export const MAX_EDGE_PIXELS = 16_384;
export const MAX_PIXELS = 67_108_864;

export const READING: SharpOptions = {
  failOn: 'error',
  // Pixel values are used as stored, as the nodes do.
  ignoreIcc: true,
  limitInputPixels: MAX_EDGE_PIXELS * MAX_EDGE_PIXELS,
};

export interface PictureSize {
  /** As shown, after the EXIF orientation is applied. */
  readonly width: number;
  readonly height: number;
}

/** Read from the header, without decoding. `undefined` for anything but a readable picture. */
export async function pictureSize(source: string | Uint8Array): Promise<PictureSize | undefined> {
  // Only recognized types reach a decoder: an SVG may refer to other files.
  const type = await detectedType(source);
  if (!isPictureType(type)) return undefined;
  const sharp = await loadSharp();
  try {
    const { autoOrient } = await sharp(source, { ...READING, limitInputPixels: false }).metadata();
    return autoOrient;
  } catch {
    return type.endsWith('png') ? await sizeInHeader(source) : undefined;
  }
}

/** The decoder refuses to read even the size of a PNG that is far too large. */
async function sizeInHeader(source: string | Uint8Array): Promise<PictureSize | undefined> {
  const head = await readHead(source);
  if (head.length < 24) return undefined;
  return { width: head.readUInt32BE(16), height: head.readUInt32BE(20) };
}

export function assertWithinLimits({ width, height }: PictureSize): void {
  if (width <= MAX_EDGE_PIXELS && height <= MAX_EDGE_PIXELS && width * height <= MAX_PIXELS) return;
  throw invalid(
    `The picture has ${width} by ${height} pixels. At most ${MAX_EDGE_PIXELS} an edge and ${MAX_PIXELS} in all are taken.`,
  );
}

/** Whether a thumbnail can be made; that of a video is its first frame. */
export function hasPreview(mediaType: string): boolean {
  return isPictureType(mediaType) || mediaType.startsWith('video/');
}

export function isPictureType(mediaType: string): boolean {
  return mediaType.startsWith('image/') && !mediaType.includes('svg');
}
