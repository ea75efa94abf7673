import {
  RELIGHT_ENGINES,
  RELIGHT_STYLES,
  TRANSFER_LIGHT_A,
  TRANSFER_LIGHT_B,
} from '@atelier/contracts/proxy-words';
import { defineNode, dynamicCombo, link, optional, output, valueError } from '@atelier/engine';
import { generatePictures } from './generate-pictures.ts';
import { choice, flag, HIDDEN, percent, prompt, webhook } from './inputs.ts';

const ADVANCED = {
  whites: percent(50, 'The brightest tones; 50 leaves them as they are.'),
  blacks: percent(50, 'The darkest tones; 50 leaves them as they are.'),
  brightness: percent(50, 'How bright the picture is; 50 leaves it as it is.'),
  contrast: percent(50, 'How far light and dark are apart; 50 leaves them as they are.'),
  saturation: percent(50, 'How strong the colors are; 50 leaves them as they are.'),
  engine: choice(RELIGHT_ENGINES, 'automatic', 'The character of the light.'),
  transfer_light_a: choice(TRANSFER_LIGHT_A, 'automatic', 'How strongly light is transferred.'),
  transfer_light_b: choice(
    TRANSFER_LIGHT_B,
    'automatic',
    'How the transfer comes and goes; adds to the one before.',
  ),
  fixed_generation: flag(
    false,
    'The same request gives the same picture. Otherwise each one is a little different.',
  ),
};

export const imageRelight = defineNode({
  type: 'ImageRelight',
  title: 'Image Relight',
  category: 'partner/image',
  description:
    'Gives a picture another light, as a prompt, a reference picture or a light map says, through the generation service of this server. Each picture of a batch is a task of its own, paid with your credits.',
  searchAliases: ['relight', 'light', 'lighting', 'light transfer', 'light map'],
  apiNode: true,
  async: true,
  inputs: {
    image: link('IMAGE', { tooltip: 'The picture to relight, or up to 16 of them.' }),
    prompt: prompt('What the light is like. (phrase:1.3) weighs a phrase; weights are from 1 to 1.4.'),
    light_transfer_strength: percent(100, '0 stays closest to the picture, 100 transfers all of the light.'),
    style: choice(RELIGHT_STYLES, 'standard', 'The look of the result.'),
    interpolate_from_original: flag(
      false,
      'Mixes the result with the picture, by the strength of the transfer.',
      { advanced: true },
    ),
    change_background: flag(true, 'Changes the background as the prompt or the reference says.', {
      advanced: true,
    }),
    preserve_details: flag(true, 'Keeps texture and small details, as of products and writing.', {
      advanced: true,
    }),
    advanced_settings: optional(
      dynamicCombo(
        { disabled: {}, enabled: ADVANCED },
        { tooltip: 'Tones, engine and the course of the transfer.' },
      ),
    ),
    reference_image: optional(
      link('IMAGE', { tooltip: 'A picture whose light is taken. Not together with a light map.' }),
    ),
    light_map: optional(
      link('IMAGE', { tooltip: 'Where light falls: white is lit. Not together with a reference.' }),
    ),
    webhook_url: webhook,
  },
  hidden: HIDDEN,
  outputs: [output('IMAGE', { tooltip: 'The relit pictures.' })],
  async run(inputs, context) {
    const { image, reference_image: reference, light_map: lightMap, webhook_url = '' } = inputs;
    if (reference && lightMap) {
      throw valueError('Connect a reference image or a light map, not both.');
    }
    const { choice: chosen, ...advanced } = inputs.advanced_settings ?? { choice: 'disabled' };
    // Settings that are left out have the route's defaults, which are the same.
    const settings = {
      light_transfer_strength: inputs.light_transfer_strength,
      style: inputs.style,
      interpolate_from_original: inputs.interpolate_from_original,
      change_background: inputs.change_background,
      preserve_details: inputs.preserve_details,
      ...(inputs.prompt?.trim() ? { prompt: inputs.prompt } : {}),
      ...(chosen === 'enabled' ? { advanced_settings: advanced } : {}),
      ...(webhook_url === '' ? {} : { webhook_url }),
    };
    const references = {
      transfer_light_from_reference_image: reference,
      transfer_light_from_lightmap: lightMap,
    };
    return [await generatePictures(image, { create: 'relight', settings, references }, context)];
  },
});
