import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  autogrow,
  boolean,
  combo,
  defineNode,
  dynamicCombo,
  fileCombo,
  float,
  int,
  link,
  listCombo,
  listOutput,
  matchOutput,
  matchType,
  optional,
  output,
  string,
  toNodeInfo,
} from '../index.ts';

const node = defineNode({
  type: 'Everything',
  title: 'Every thing',
  category: 'test/all',
  description: 'Has one of each.',
  searchAliases: ['all'],
  essentialsCategory: 'Basics',
  experimental: true,
  deprecated: true,
  apiNode: true,
  outputNode: true,
  inputIsList: true,
  inputs: {
    image: link('IMAGE', { tooltip: 'A picture.' }),
    size: int({ default: 512, min: 1, max: 16384, step: 8 }),
    amount: float({ default: 0.5, round: 0.01 }),
    text: string({ multiline: true }),
    on: boolean({ default: true, label_on: 'yes' }),
    mode: combo(['a', 'b'], { default: 'b' }),
    method: listCombo(['x', 'y']),
    file: fileCombo({ folder: 'input', endings: ['png'] }, { image_upload: true }),
    either: link('IMAGE,MASK'),
    any: matchType('t', { allowed: 'IMAGE,MASK' }),
    later: optional(link('MASK', { lazy: true })),
    shape: dynamicCombo({ square: { side: int() }, none: {} }),
    images: autogrow(link('IMAGE'), { prefix: 'image', min: 2, max: 50 }),
    values: autogrow(float(), { names: ['a', 'b'], min: 1 }),
  },
  hidden: { prompt: 'PROMPT', extra_pnginfo: 'EXTRA_PNGINFO' },
  outputs: [output('IMAGE'), listOutput('INT', { name: 'width', tooltip: 'In pixels.' }), matchOutput('t')],
  run: () => [null, [], null] as never,
});

describe('object_info', () => {
  it('derives from the declaration in full', async () => {
    const files = { list: async () => await Promise.resolve(['dog.PNG', 'cat.png', 'notes.txt', 'png']) };
    assert.deepEqual(await toNodeInfo(node, { module: 'tests', files }), {
      input: {
        required: {
          image: ['IMAGE', { tooltip: 'A picture.' }],
          size: ['INT', { default: 512, min: 1, max: 16384, step: 8 }],
          amount: ['FLOAT', { default: 0.5, round: 0.01 }],
          text: ['STRING', { multiline: true }],
          on: ['BOOLEAN', { default: true, label_on: 'yes' }],
          mode: ['COMBO', { multiselect: false, default: 'b', options: ['a', 'b'] }],
          method: [['x', 'y'], {}],
          file: [['cat.png', 'dog.PNG'], { image_upload: true }],
          either: ['IMAGE,MASK', {}],
          any: ['COMFY_MATCHTYPE_V3', { template: { template_id: 't', allowed_types: 'IMAGE,MASK' } }],
          shape: [
            'COMFY_DYNAMICCOMBO_V3',
            {
              options: [
                { key: 'square', inputs: { required: { side: ['INT', {}] } } },
                { key: 'none', inputs: { required: {} } },
              ],
            },
          ],
          images: [
            'COMFY_AUTOGROW_V3',
            { template: { input: { required: { image: ['IMAGE', {}] } }, prefix: 'image', min: 2, max: 50 } },
          ],
          values: [
            'COMFY_AUTOGROW_V3',
            {
              template: { input: { required: { value: ['FLOAT', {}] } }, names: ['a', 'b'], min: 1 },
            },
          ],
        },
        optional: { later: ['MASK', { lazy: true }] },
        hidden: { prompt: 'PROMPT', extra_pnginfo: 'EXTRA_PNGINFO' },
      },
      input_order: {
        required: [
          'image',
          'size',
          'amount',
          'text',
          'on',
          'mode',
          'method',
          'file',
          'either',
          'any',
          'shape',
          'images',
          'values',
        ],
        optional: ['later'],
        hidden: ['prompt', 'extra_pnginfo'],
      },
      is_input_list: true,
      output: ['IMAGE', 'INT', 'COMFY_MATCHTYPE_V3'],
      output_is_list: [false, true, false],
      output_name: ['IMAGE', 'width', 'COMFY_MATCHTYPE_V3'],
      output_tooltips: [null, 'In pixels.', null],
      output_matchtypes: [null, null, 't'],
      name: 'Everything',
      display_name: 'Every thing',
      description: 'Has one of each.',
      python_module: 'tests',
      category: 'test/all',
      output_node: true,
      has_intermediate_output: false,
      search_aliases: ['all'],
      essentials_category: 'Basics',
      deprecated: true,
      experimental: true,
      api_node: true,
    });
  });
});
