import type { SharpOptions } from 'sharp';

import { invalid } from '../errors/app-error.ts';
import { detectedType, readHead } from '../files/read-head.ts';
import { loadSharp } from './load-sharp.ts';

export const MAX_EDGE_PIXELS = 16_384;
export const MAX_PIXELS = 67_108_864;

export const READING: SharpOptions = {
  failOn: 'error',
  // Values are taken as they stand, as the nodes take them.
  ignoreIcc: true,
  limitInputPixels: MAX_EDGE_PIXELS * MAX_EDGE_PIXELS,
};

export interface PictureSize {
  /** As it is shown, after what its EXIF data says of its orientation. */
  readonly width: number;
  readonly height: number;
}

/** From the header, without decoding; `undefined` for what is not a picture or one that cannot be read here. */
export async function pictureSize(source: string | Uint8Array): Promise<PictureSize | undefined> {
  // Only what was recognized is given to a decoder: SVG is drawn, not decoded, and may name other files.
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

/** The decoder does not even tell the size of a PNG that is far too large for it. */
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

/** Whether a small picture of it can be made: of a video the first frame. */
export function hasPreview(mediaType: string): boolean {
  return isPictureType(mediaType) || mediaType.startsWith('video/');
}

export function isPictureType(mediaType: string): boolean {
  return mediaType.startsWith('image/') && !mediaType.includes('svg');
}
