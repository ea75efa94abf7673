import { NodeError, valueError } from '@atelier/engine';
import { MAX_EDGE } from '../../values/arithmetic.ts';

/** The content of a file before it becomes floats. */
export interface DecodedPictures extends PictureBounds {
  /** Gray, gray and alpha, RGB, RGBA; for each frame `[height, width, channels]`. */
  readonly channels: number;
  readonly samples: Uint8Array | Uint16Array;
  /** Whether the pixels can be transparent, or are indices of a palette. Then the mask has the size of the picture. */
  readonly hasAlpha: boolean;
}

export interface PictureBounds {
  readonly width: number;
  readonly height: number;
  readonly frames: number;
}

/** For all frames together: 128 megapixels are 1.5 GB of floats. */
export const MAX_PIXELS = 128 * 1024 * 1024;
/** The limit of nodes that make batches. */
const MAX_FRAMES = 4096;

/** Refuses pictures that would take too much memory, by their header. */
export function checkBounds(name: string, { width, height, frames }: PictureBounds): void {
  if (!(width >= 1 && height >= 1 && frames >= 1)) throw damagedPicture(name);
  if (width > MAX_EDGE || height > MAX_EDGE) {
    throw valueError(
      `${name} is too large: it has ${width}×${height} pixels, and no edge may be longer than ${MAX_EDGE}.`,
    );
  }
  if (frames > MAX_FRAMES) {
    throw valueError(`${name} has ${frames} frames, and at most ${MAX_FRAMES} are read.`);
  }
  if (width * height * frames <= MAX_PIXELS) return;
  const size = frames === 1 ? `${width}×${height} pixels` : `${frames} frames of ${width}×${height} pixels`;
  throw valueError(`${name} is too large: it has ${size}, and at most 128 megapixels are read.`);
}

export function damagedPicture(name: string, cause?: unknown): NodeError {
  return new NodeError(
    'OSError',
    `${name} cannot be read as a picture: the file is damaged or not complete.`,
    {
      cause,
    },
  );
}
