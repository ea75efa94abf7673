import {
  boolean,
  combo,
  defineNode,
  float,
  int,
  link,
  type NodeContext,
  output,
  string,
  type UiOutput,
  valueError,
} from '@atelier/engine';
import { saveNumbered } from '../../files/save-path.ts';
import type { Image } from '../../values/image.ts';
import { encodeApng } from '../codecs/encode-apng.ts';
import { encodeWebp } from '../codecs/encode-webp.ts';
import { METADATA_INPUTS, metadataExif, metadataTexts } from './job-metadata.ts';

const EFFORTS = { default: 4, fastest: 0, slowest: 6 } as const;

export const saveAnimatedPng = defineNode({
  type: 'SaveAnimatedPNG',
  title: 'Save Animated PNG',
  category: 'image',
  outputNode: true,
  inputs: {
    images: link('IMAGE'),
    filename_prefix: string({ default: 'ComfyUI' }),
    fps: float({ default: 6, min: 0.01, max: 1000, step: 0.01 }),
    compress_level: int({ default: 4, min: 0, max: 9, advanced: true }),
  },
  hidden: METADATA_INPUTS,
  outputs: [output('IMAGE', { name: 'images' })],
  async run({ images, filename_prefix: prefix, fps, compress_level: given }, context) {
    const level = Math.min(9, Math.max(0, given));
    const options = { level, durationMs: durationOf(fps), text: metadataTexts(context.hidden) };
    const file = await encodeApng(images, options, context);
    return { outputs: [images], ui: await saveAnimation(images, file, prefix, '_.png', context) };
  },
});

export const saveAnimatedWebp = defineNode({
  type: 'SaveAnimatedWEBP',
  title: 'Save Animated WEBP',
  category: 'image',
  outputNode: true,
  inputs: {
    images: link('IMAGE'),
    filename_prefix: string({ default: 'ComfyUI' }),
    fps: float({ default: 6, min: 0.01, max: 1000, step: 0.01 }),
    lossless: boolean({ default: true }),
    quality: int({ default: 80, min: 0, max: 100 }),
    method: combo(['default', 'fastest', 'slowest']),
  },
  hidden: METADATA_INPUTS,
  outputs: [output('IMAGE', { name: 'images' })],
  async run({ images, filename_prefix: prefix, fps, lossless, quality, method }, context) {
    const file = await encodeWebp(
      images,
      {
        lossless,
        quality,
        effort: EFFORTS[method],
        durationMs: durationOf(fps),
        exif: metadataExif(context.hidden),
      },
      context,
    );
    return { outputs: [images], ui: await saveAnimation(images, file, prefix, '_.webp', context) };
  },
});

/** Truncates to whole milliseconds. A linked number may be anything. */
function durationOf(fps: number): number {
  const durationMs = Math.trunc(1000 / fps);
  if (fps > 0 && Number.isFinite(durationMs)) return durationMs;
  throw valueError(`fps must be more than 0; it is ${fps}.`);
}

async function saveAnimation(
  { batch, width, height }: Image,
  file: Uint8Array,
  prefix: string,
  ending: string,
  context: NodeContext,
): Promise<UiOutput> {
  const images = await saveNumbered(prefix, [file], { ending, width, height }, context);
  context.progress(batch, batch);
  return batch > 1 ? { images, animated: [true] } : { images };
}
