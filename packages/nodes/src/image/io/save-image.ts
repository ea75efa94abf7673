import { defineNode, link, optional, output, string } from '@atelier/engine';
import type { Image } from '../../values/image.ts';
import { toGrayImage } from '../batch.ts';
import { METADATA_INPUTS, metadataTexts } from './job-metadata.ts';
import { SAVE_LEVEL, savePictures, savePreviews } from './save-pictures.ts';

export const PREFIX_TOOLTIP =
  'How the files are called, and with slashes in which folder. Parts such as %date:yyyy-MM-dd% or %width% are filled in.';

export const saveImage = defineNode({
  type: 'SaveImage',
  title: 'Save Image',
  category: 'image',
  description: 'Saves pictures as PNG files in the output folder.',
  searchAliases: ['save', 'save image', 'export image', 'output image', 'write image', 'download'],
  outputNode: true,
  inputs: {
    images: link('IMAGE', { tooltip: 'The pictures to save.' }),
    filename_prefix: string({ default: 'ComfyUI', tooltip: PREFIX_TOOLTIP }),
  },
  hidden: METADATA_INPUTS,
  outputs: [output('IMAGE', { name: 'images' })],
  async run({ images, filename_prefix: prefix }, context) {
    const options = { ending: '_.png', level: SAVE_LEVEL, text: metadataTexts(context.hidden) };
    return { outputs: [images], ui: { images: await savePictures(images, prefix, options, context) } };
  },
});

export const previewImage = defineNode({
  type: 'PreviewImage',
  title: 'Preview Image',
  category: 'image',
  description: 'Shows pictures without keeping them in the output folder.',
  searchAliases: ['preview', 'preview image', 'show image', 'view image', 'display image', 'image viewer'],
  outputNode: true,
  inputs: { images: link('IMAGE') },
  hidden: METADATA_INPUTS,
  outputs: [output('IMAGE', { name: 'images' })],
  async run({ images }, context) {
    const text = metadataTexts(context.hidden);
    return { outputs: [images], ui: { images: await savePreviews(images, context, { text }) } };
  },
});

export const maskPreview = defineNode({
  type: 'MaskPreview',
  title: 'Preview Mask',
  category: 'image/mask',
  description: 'Shows masks as gray pictures.',
  searchAliases: ['show mask', 'view mask', 'inspect mask', 'debug mask'],
  outputNode: true,
  inputs: { mask: link('MASK') },
  hidden: METADATA_INPUTS,
  outputs: [],
  async run({ mask }, context) {
    const gray = toGrayImage(mask, context.memory, context.checkpoint);
    const shown = await savePreviews(gray, context);
    context.memory.free(gray.data);
    return { outputs: [], ui: { images: shown, animated: [false] } };
  },
});

export const imageCompare = defineNode({
  type: 'ImageCompare',
  title: 'Compare Images',
  category: 'image',
  description: 'Shows two pictures over each other with a slider between them.',
  experimental: true,
  outputNode: true,
  inputs: {
    image_a: optional(link('IMAGE')),
    image_b: optional(link('IMAGE')),
    // The slider itself; clients without one leave it out.
    compare_view: optional(link('IMAGECOMPARE', { socketless: true })),
  },
  outputs: [],
  async run({ image_a: a, image_b: b }, context) {
    const shown = async (image: Image | undefined, prefix: string): Promise<readonly unknown[]> =>
      image ? await savePreviews(image, context, { prefix }) : [];
    return {
      outputs: [],
      ui: { a_images: await shown(a, 'comfy.compare.a'), b_images: await shown(b, 'comfy.compare.b') },
    };
  },
});
