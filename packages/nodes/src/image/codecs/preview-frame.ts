import type { PreviewFrame } from '@atelier/engine';
import { roundHalfEven } from '../../values/arithmetic.ts';
import { type Image, picture } from '../../values/image.ts';
import { bytesFromFloats } from '../resize/bytes.ts';
import { pillowBytes, type ResizeTools } from '../resize/pillow-resize.ts';
import { loadSharp } from './load-sharp.ts';

const PREVIEW_EDGE = 512;

/** For callers without a job. */
const OWN_TOOLS: ResizeTools = {
  memory: {
    floats: (length) => new Float32Array(length),
    dirtyFloats: (length) => new Float32Array(length),
    dirtyBytes: (length) => new Uint8Array(length),
    free() {},
  },
  checkpoint() {},
};

/** A picture of a batch, small enough to be sent while a node runs. */
export async function previewFrame(
  image: Image,
  index: number,
  tools: ResizeTools = OWN_TOOLS,
): Promise<PreviewFrame> {
  const { memory } = tools;
  const bytes = memory.dirtyBytes(image.width * image.height * image.channels);
  bytesFromFloats(picture(image, index), 0, bytes);
  const size = fit(image);
  const small = pillowBytes(bytes, image, { ...size, filter: 'bilinear' }, tools);
  const channels = image.channels === 4 || image.channels === 3 ? image.channels : 1;
  const sharp = await loadSharp();
  const encoded = await sharp(small, { raw: { ...size, channels } })
    .removeAlpha()
    .jpeg({ quality: 95 })
    .toBuffer();
  tools.checkpoint();
  memory.free(bytes);
  memory.free(small);
  return { type: 'image/jpeg', bytes: encoded };
}

function fit({ width, height }: Image): { readonly width: number; readonly height: number } {
  const other = (short: number, long: number): number =>
    Math.max(1, roundHalfEven((short / long) * PREVIEW_EDGE));
  if (width === height) return { width: PREVIEW_EDGE, height: PREVIEW_EDGE };
  return width > height
    ? { width: PREVIEW_EDGE, height: other(height, width) }
    : { width: other(width, height), height: PREVIEW_EDGE };
}
