import { combo, defineNode, dynamicCombo, link, NodeError, output, string } from '@atelier/engine';
import { METADATA_INPUTS, metadataTexts } from './job-metadata.ts';
import { PREFIX_TOOLTIP } from './save-image.ts';
import { SAVE_LEVEL, savePictures } from './save-pictures.ts';

export const saveImageAdvanced = defineNode({
  type: 'SaveImageAdvanced',
  title: 'Save Image (Advanced)',
  category: 'image',
  description: 'Saves pictures in the output folder, with a choice of how exact they are kept.',
  searchAliases: ['save', 'save image', 'export image', 'output image', 'write image'],
  outputNode: true,
  inputs: {
    images: link('IMAGE', { tooltip: 'The pictures to save.' }),
    filename_prefix: string({ default: 'ComfyUI', tooltip: PREFIX_TOOLTIP }),
    format: dynamicCombo(
      {
        png: {
          bit_depth: combo(['8-bit', '16-bit'], { default: '8-bit', advanced: true }),
          input_color_space: combo(['sRGB'], { default: 'sRGB', advanced: true }),
        },
        exr: {
          bit_depth: combo(['32-bit float'], { default: '32-bit float', advanced: true }),
          input_color_space: combo(['sRGB', 'HDR', 'linear'], {
            default: 'sRGB',
            advanced: true,
            tooltip: 'What the values of the pictures mean.',
          }),
        },
      },
      { tooltip: 'The kind of file.' },
    ),
  },
  hidden: METADATA_INPUTS,
  outputs: [output('IMAGE', { name: 'images' })],
  async run({ images, filename_prefix: prefix, format }, context) {
    if (format.choice === 'exr') {
      throw new NodeError(
        'NotImplementedError',
        'EXR files are not available on this server: save as png, with 16 bits.',
      );
    }
    const bits = format.bit_depth === '16-bit' ? 16 : 8;
    const options = { ending: '.png', level: SAVE_LEVEL, bits, text: metadataTexts(context.hidden) } as const;
    return { outputs: [images], ui: { images: await savePictures(images, prefix, options, context) } };
  },
});
