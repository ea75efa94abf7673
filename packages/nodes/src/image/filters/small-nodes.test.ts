import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runNode } from '../../test/run-node.ts';
import { colorToRgbInt } from './color.ts';
import { filterNodes } from './filter-nodes.ts';
import { buildJsonPromptIdeogram } from './json-prompt.ts';
import * as unavailable from './unavailable.ts';

test('a color is given as a number, as text and with its alpha', async () => {
  assert.deepEqual((await runNode(colorToRgbInt, { color: '#FF8000' })).outputs, [0xff8000, '#FF8000', 1]);
  assert.deepEqual((await runNode(colorToRgbInt, { color: '#01020380' })).outputs, [
    0x010203,
    '#010203',
    128 / 255,
  ]);
});

test('what is not a color is refused with a sentence', async () => {
  for (const color of ['', 'red', '#12345', '#1234567', '#gggggg', '#1234567890', undefined, 5]) {
    await assert.rejects(runNode(colorToRgbInt, { color }), {
      exceptionType: 'ValueError',
      message: /#RRGGBB/,
    });
  }
});

test('a JSON prompt has what was given, and leaves out what was not', async () => {
  const blank = {
    element: [],
    high_level_description: ' ',
    background: '',
    aesthetics: 'a',
    lighting: 'l',
    medium: 'm',
  };
  const bare = await runNode(buildJsonPromptIdeogram, {
    ...blank,
    style: { choice: 'none' },
    color_palette: [],
  });
  assert.deepEqual(bare.outputs, [{ compositional_deconstruction: { background: '', elements: [] } }]);
  const full = await runNode(buildJsonPromptIdeogram, {
    ...blank,
    high_level_description: 'a cat',
    element: [{ type: 'obj' }],
    style: { choice: 'photo', photo: '35mm' },
    color_palette: ['#ffaa00', ''],
  });
  assert.deepEqual(full.outputs, [
    {
      high_level_description: 'a cat',
      style_description: {
        aesthetics: 'a',
        lighting: 'l',
        photo: '35mm',
        medium: 'm',
        color_palette: ['#FFAA00'],
      },
      compositional_deconstruction: { background: '', elements: [{ type: 'obj' }] },
    },
  ]);
});

test('nodes that are not available say so when they run', async () => {
  for (const node of Object.values(unavailable)) {
    await assert.rejects(runNode(node, {}), {
      exceptionType: 'NotImplementedError',
      message: /not available on this server/,
    });
  }
});

test('every node has a name of its own', () => {
  assert.equal(new Set(filterNodes.map(({ type }) => type)).size, filterNodes.length);
});
