import {
  RELIGHT_ENGINES,
  RELIGHT_STYLES,
  TRANSFER_LIGHT_A,
  TRANSFER_LIGHT_B,
} from '@atelier/contracts/proxy-words';
import {
  boolean,
  combo,
  defineNode,
  dynamicCombo,
  int,
  link,
  NodeError,
  optional,
  output,
  string,
} from '@atelier/engine';
import { generatePictures } from './generate-pictures.ts';
import { HIDDEN } from './hidden.ts';

const ROOT = '/proxy/imagevendor/v1/ai/image-relight';

const level = (tooltip: string) =>
  optional(int({ default: 50, min: 0, max: 100, display: 'slider', tooltip }));

const ADVANCED = {
  whites: level('The brightest tones; 50 leaves them as they are.'),
  blacks: level('The darkest tones; 50 leaves them as they are.'),
  brightness: level('How bright the picture is; 50 leaves it as it is.'),
  contrast: level('How far light and dark are apart; 50 leaves them as they are.'),
  saturation: level('How strong the colors are; 50 leaves them as they are.'),
  engine: optional(combo(RELIGHT_ENGINES, { default: 'automatic', tooltip: 'The character of the light.' })),
  transfer_light_a: optional(
    combo(TRANSFER_LIGHT_A, {
      default: 'automatic',
      tooltip: 'How strongly light is transferred.',
    }),
  ),
  transfer_light_b: optional(
    combo(TRANSFER_LIGHT_B, {
      default: 'automatic',
      tooltip: 'How the transfer comes and goes; adds to the one before.',
    }),
  ),
  fixed_generation: optional(
    boolean({
      default: false,
      tooltip: 'The same request gives the same picture. Otherwise each one is a little different.',
    }),
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
    prompt: optional(
      string({
        multiline: true,
        default: '',
        dynamicPrompts: true,
        tooltip: 'What the light is like. (phrase:1.3) weighs a phrase; weights are from 1 to 1.4.',
      }),
    ),
    light_transfer_strength: optional(
      int({
        default: 100,
        min: 0,
        max: 100,
        display: 'slider',
        tooltip: '0 stays closest to the picture, 100 transfers all of the light.',
      }),
    ),
    style: optional(combo(RELIGHT_STYLES, { default: 'standard', tooltip: 'The look of the result.' })),
    interpolate_from_original: optional(
      boolean({
        default: false,
        advanced: true,
        tooltip: 'Mixes the result with the picture, by the strength of the transfer.',
      }),
    ),
    change_background: optional(
      boolean({
        default: true,
        advanced: true,
        tooltip: 'Changes the background as the prompt or the reference says.',
      }),
    ),
    preserve_details: optional(
      boolean({
        default: true,
        advanced: true,
        tooltip: 'Keeps texture and small details, as of products and writing.',
      }),
    ),
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
    webhook_url: optional(
      string({
        default: '',
        advanced: true,
        tooltip: 'An address that is told of every change of a task. The node itself needs none.',
      }),
    ),
  },
  hidden: HIDDEN,
  outputs: [output('IMAGE', { tooltip: 'The relit pictures.' })],
  async run(inputs, context) {
    const { image, prompt = '', reference_image: reference, light_map: lightMap, webhook_url = '' } = inputs;
    if (reference && lightMap) {
      throw new NodeError('ValueError', 'Connect a reference image or a light map, not both.');
    }
    const { choice, ...advanced } = inputs.advanced_settings ?? { choice: 'disabled' };
    // What is left out has the default of the route, which is the same.
    const settings = {
      light_transfer_strength: inputs.light_transfer_strength,
      style: inputs.style,
      interpolate_from_original: inputs.interpolate_from_original,
      change_background: inputs.change_background,
      preserve_details: inputs.preserve_details,
      ...(prompt.trim() === '' ? {} : { prompt }),
      ...(choice === 'enabled' ? { advanced_settings: advanced } : {}),
      ...(webhook_url === '' ? {} : { webhook_url }),
    };
    const beside = {
      transfer_light_from_reference_image: reference,
      transfer_light_from_lightmap: lightMap,
    };
    return [await generatePictures(image, { createPath: ROOT, lookPath: ROOT, settings, beside }, context)];
  },
});
