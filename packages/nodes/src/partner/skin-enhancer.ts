import { SKIN_PURPOSES } from '@atelier/contracts/proxy-words';
import { combo, defineNode, dynamicCombo, int, link, optional, output, string } from '@atelier/engine';
import { generatePictures } from './generate-pictures.ts';
import { HIDDEN } from './hidden.ts';

const ROOT = '/proxy/imagevendor/v1/ai/skin-enhancer';

export const skinEnhancer = defineNode({
  type: 'SkinEnhancer',
  title: 'Skin Enhancer',
  category: 'partner/image',
  description:
    'Enhances the skin in portraits through the generation service of this server. Each picture of a batch is a task of its own, paid with your credits.',
  searchAliases: ['skin', 'portrait', 'retouch', 'beauty', 'face'],
  apiNode: true,
  async: true,
  inputs: {
    image: link('IMAGE', { tooltip: 'The portrait, or up to 16 of them.' }),
    mode: optional(
      dynamicCombo(
        {
          faithful: {
            skin_detail: optional(
              int({
                default: 80,
                min: 0,
                max: 100,
                display: 'slider',
                tooltip: 'How much fine texture the skin gets back.',
              }),
            ),
          },
          creative: {},
          flexible: {
            optimized_for: optional(
              combo(SKIN_PURPOSES, { default: 'enhance_skin', tooltip: 'What matters most.' }),
            ),
          },
        },
        {
          tooltip: 'Faithful stays closest to the picture, creative takes liberties, flexible has a purpose.',
        },
      ),
    ),
    sharpen: optional(
      int({
        default: 0,
        min: 0,
        max: 100,
        display: 'slider',
        tooltip: 'How much edges are sharpened.',
      }),
    ),
    smart_grain: optional(
      int({
        default: 2,
        min: 0,
        max: 100,
        display: 'slider',
        tooltip: 'How much grain is added, as of film.',
      }),
    ),
    webhook_url: optional(
      string({
        default: '',
        advanced: true,
        tooltip: 'An address that is told of every change of a task. The node itself needs none.',
      }),
    ),
  },
  hidden: HIDDEN,
  outputs: [output('IMAGE', { tooltip: 'The enhanced pictures.' })],
  async run({ image, mode = { choice: 'faithful' }, sharpen, smart_grain, webhook_url = '' }, context) {
    // What is left out has the default of the route, which is the same.
    const { choice, ...own } = mode;
    const settings = { sharpen, smart_grain, ...own, ...(webhook_url === '' ? {} : { webhook_url }) };
    const work = { createPath: `${ROOT}/${choice}`, lookPath: ROOT, settings };
    return [await generatePictures(image, work, context)];
  },
});
