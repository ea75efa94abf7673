import type { NodeTypes } from '@atelier/sdk';

import { createNodeCatalogue } from '../node-catalogue.ts';

/** Sample node types in the server's format. */
const TYPES: NodeTypes = {
  Sampler: {
    display_name: 'Sampler',
    input: {
      required: {
        model: ['MODEL', {}],
        seed: ['INT', { default: 0, min: 0, max: 2 ** 64 }],
        steps: ['INT', { default: 20, min: 1, max: 100 }],
        sampler: [['euler', 'ddim'], {}],
        positive: ['CONDITIONING', {}],
      },
    },
    output: ['LATENT'],
    output_name: ['LATENT'],
  },
  Prompt: {
    display_name: 'Prompt',
    input: { required: { text: ['STRING', { multiline: true }] } },
    output: ['CONDITIONING'],
    output_name: ['CONDITIONING'],
  },
  Model: {
    display_name: 'Model',
    input: { required: { name: [['a.safetensors'], {}] } },
    output: ['MODEL'],
    output_name: ['MODEL'],
  },
  Load: {
    display_name: 'Load Image',
    input: { required: { image: [[], { image_upload: true }] }, optional: { note: ['STRING', {}] } },
    output: ['IMAGE'],
    output_name: ['IMAGE'],
  },
  Resize: {
    display_name: 'Resize',
    input: {
      required: {
        image: ['IMAGE', {}],
        how: [
          'COMFY_DYNAMICCOMBO_V3',
          {
            options: [
              {
                key: 'size',
                inputs: { required: { width: ['INT', { default: 512 }], height: ['INT', { default: 512 }] } },
              },
              { key: 'factor', inputs: { required: { by: ['FLOAT', { default: 2 }] } } },
            ],
          },
        ],
        crop: ['BOOLEAN', { default: false }],
      },
    },
    output: ['IMAGE'],
    output_name: ['IMAGE'],
  },
  Save: {
    display_name: 'Save',
    input: { required: { images: ['IMAGE', {}], prefix: ['STRING', { default: 'a' }] } },
    output: [],
    output_node: true,
  },
};

export const catalogue = createNodeCatalogue(TYPES);
