import { detectedType } from '../../platform/files/read-head.ts';
import { loadSharp } from '../../platform/pictures/load-sharp.ts';
import { MOST_EDGE, MOST_PIXELS, pictureSize, READING } from '../../platform/pictures/picture-limits.ts';

export const MOST_PICTURE_BYTES = 52_428_800;
/** What vendors take, and renderers read. */
const TAKEN = new Set(['image/png', 'image/jpeg', 'image/webp']);

const SOON_READ = 65_536;
const ALSO_CALLED: Readonly<Record<string, string>> = {
  'image/jpg': 'image/jpeg',
  'image/pjpeg': 'image/jpeg',
};

/** What vendors of video refuse: the longer side over the shorter. */
const MOST_ASPECT = 4;

export interface PictureRules {
  /** For pictures that become the frame of a video. */
  readonly isFrame: boolean;
  /** The media type that came with it. */
  readonly announced?: string | undefined;
}

/**
 * What is wrong with a picture, as the end of a sentence that begins with its name; `undefined` for a good one. Of a large one the
 * header only: what breaks off behind it fails when it is worked on.
 */
export async function problemOfPicture(
  source: string | Uint8Array,
  { isFrame, announced = '' }: PictureRules,
): Promise<string | undefined> {
  const type = await detectedType(source);
  if (!TAKEN.has(type)) return 'must be a PNG, JPEG or WebP picture';
  if (announced !== '' && ALSO_CALLED[announced] !== type && announced !== type) {
    return `must be what its data URL says: it is ${type}, not ${announced}`;
  }
  const size = await pictureSize(source);
  if (!size) return 'must be a picture that can be read; this one is broken';
  const { width, height } = size;
  if (width > MOST_EDGE || height > MOST_EDGE || width * height > MOST_PIXELS) {
    return `must have at most ${MOST_EDGE} pixels an edge and ${MOST_PIXELS} in all, not ${width} by ${height}`;
  }
  if (isFrame && Math.max(width, height) > MOST_ASPECT * Math.min(width, height)) {
    return `must have sides of 1:${MOST_ASPECT} to ${MOST_ASPECT}:1, not ${width} by ${height}`;
  }
  // A header alone is soon made; so small a file is soon read, too.
  if (typeof source !== 'string' && source.length <= SOON_READ && !(await canBeRead(source))) {
    return 'must be a picture that can be read; this one breaks off';
  }
  return undefined;
}

async function canBeRead(bytes: Uint8Array): Promise<boolean> {
  const sharp = await loadSharp();
  try {
    // Row by row, so that nothing large is unfolded at once.
    await sharp(bytes, { ...READING, sequentialRead: true })
      .resize(16, 16, { fit: 'fill' })
      .raw()
      .toBuffer();
    return true;
  } catch {
    return false;
  }
}
