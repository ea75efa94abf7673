import { SKIN_PURPOSES } from '@atelier/contracts/proxy-words';
import { defineNode, dynamicCombo, link, optional, output } from '@atelier/engine';
import { generatePictures } from './generate-pictures.ts';
import { choice, HIDDEN, percent, webhook } from './inputs.ts';

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
          faithful: { skin_detail: percent(80, 'How much fine texture the skin gets back.') },
          creative: {},
          flexible: { optimized_for: choice(SKIN_PURPOSES, 'enhance_skin', 'What matters most.') },
        },
        {
          tooltip: 'Faithful stays closest to the picture, creative takes liberties, flexible has a purpose.',
        },
      ),
    ),
    sharpen: percent(0, 'How much edges are sharpened.'),
    smart_grain: percent(2, 'How much film-like grain is added.'),
    webhook_url: webhook,
  },
  hidden: HIDDEN,
  outputs: [output('IMAGE', { tooltip: 'The enhanced pictures.' })],
  async run({ image, mode = { choice: 'faithful' }, sharpen, smart_grain, webhook_url = '' }, context) {
    // Settings that are left out have the route's defaults, which are the same.
    const { choice: chosen, ...own } = mode;
    const settings = { sharpen, smart_grain, ...own, ...(webhook_url === '' ? {} : { webhook_url }) };
    return [await generatePictures(image, { create: `skin.${chosen as 'faithful'}`, settings }, context)];
  },
});
