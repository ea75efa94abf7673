import { detectedType } from '../../platform/files/read-head.ts';
import { loadSharp } from '../../platform/pictures/load-sharp.ts';
import { MAX_EDGE_PIXELS, MAX_PIXELS, pictureSize, READING } from '../../platform/pictures/picture-limits.ts';

const ACCEPTED = new Set(['image/png', 'image/jpeg', 'image/webp']);

/** Pictures up to this size are decoded completely. */
const MAX_DECODED_BYTES = 65_536;
const ALIASES: Readonly<Record<string, string>> = {
  'image/jpg': 'image/jpeg',
  'image/pjpeg': 'image/jpeg',
};

/** The longer side over the shorter; video vendors refuse more. */
const MAX_ASPECT = 4;

export interface PictureRules {
  /** For pictures that become the frame of a video. */
  readonly isFrame: boolean;
  readonly announced?: string | undefined;
}

/**
 * A problem, as the end of a sentence that begins with the field; `undefined` for a valid picture. Only the header of a large picture is
 * read: if it is truncated, the task fails later.
 */
export async function validatePicture(
  source: string | Uint8Array,
  { isFrame, announced = '' }: PictureRules,
): Promise<string | undefined> {
  const type = await detectedType(source);
  if (!ACCEPTED.has(type)) return 'must be a PNG, JPEG or WebP picture';
  if (announced !== '' && ALIASES[announced] !== type && announced !== type) {
    return `must be what its data URL says: it is ${type}, not ${announced}`;
  }
  const size = await pictureSize(source);
  if (!size) return 'must be a picture that can be read; this one is broken';
  const { width, height } = size;
  if (width > MAX_EDGE_PIXELS || height > MAX_EDGE_PIXELS || width * height > MAX_PIXELS) {
    return `must have at most ${MAX_EDGE_PIXELS} pixels an edge and ${MAX_PIXELS} in all, not ${width} by ${height}`;
  }
  if (isFrame && Math.max(width, height) > MAX_ASPECT * Math.min(width, height)) {
    return `must have sides of 1:${MAX_ASPECT} to ${MAX_ASPECT}:1, not ${width} by ${height}`;
  }
  if (typeof source !== 'string' && source.length <= MAX_DECODED_BYTES && !(await canBeRead(source))) {
    return 'must be a picture that can be read; this one breaks off';
  }
  return undefined;
}

async function canBeRead(bytes: Uint8Array): Promise<boolean> {
  const sharp = await loadSharp();
  try {
    // Row by row, so that a large picture is never in memory at once.
    await sharp(bytes, { ...READING, sequentialRead: true })
      .resize(16, 16, { fit: 'fill' })
      .raw()
      .toBuffer();
    return true;
  } catch {
    return false;
  }
}
