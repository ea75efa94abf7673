import { AppError, invalid } from '../../../platform/errors/app-error.ts';
import { loadSharp } from '../../../platform/pictures/load-sharp.ts';
import { assertWithinLimits, pictureSize, READING } from '../../../platform/pictures/picture-limits.ts';
import { copyWithChunks, readTextChunks } from '../views/png-text.ts';

interface MaskFiles {
  readonly original: string;
  readonly mask: string;
  readonly result: string;
  /** Paths for intermediate results. */
  readonly drafts: readonly [colors: string, alpha: string, joined: string];
}

const DEADLINE = { seconds: 60 };
const TURNED = { ...READING, autoOrient: true };
const FAST = { compressionLevel: 1 };

/**
 * Makes a PNG of the original with the alpha of the mask and the text chunks of the original. Both pictures are turned by their EXIF
 * orientation, because that is how they were shown when the mask was painted.
 */
export async function applyMask({ original, mask, result, drafts }: MaskFiles): Promise<void> {
  const sharp = await loadSharp();
  const size = await sizeOf(original, 'original');
  const maskSize = await sizeOf(mask, 'mask');
  if (size.width !== maskSize.width || size.height !== maskSize.height) {
    throw invalid(
      `The mask has ${maskSize.width} by ${maskSize.height} pixels and the original ${size.width} by ${size.height}. Send a mask of the same size.`,
    );
  }
  const [colors, alpha, joined] = drafts;
  // In files: the pixels of two pictures would take hundreds of megabytes of memory.
  await sharp(mask, TURNED)
    .ensureAlpha()
    .extractChannel('alpha')
    .timeout(DEADLINE)
    .png(FAST)
    .toFile(alpha)
    .catch(unreadable('mask'));
  await sharp(original, TURNED)
    .removeAlpha()
    .toColorspace('srgb')
    .timeout(DEADLINE)
    .png(FAST)
    .toFile(colors)
    .catch(unreadable('original'));
  await sharp(colors).joinChannel(alpha).timeout(DEADLINE).png({ compressionLevel: 4 }).toFile(joined);
  await copyWithChunks(joined, result, await readTextChunks(original));
}

async function sizeOf(path: string, what: string) {
  const size = await pictureSize(path);
  if (!size) throw unreadable(what)(undefined);
  assertWithinLimits(size);
  return size;
}

function unreadable(what: string) {
  return (cause: unknown): never => {
    throw new AppError('request.invalid', `The ${what} is not a picture that can be read.`, { cause });
  };
}
