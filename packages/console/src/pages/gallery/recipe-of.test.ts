import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { recipeOf } from './recipe-of.ts';

describe('the recipe of a picture', () => {
  it('has words, seed, model and settings, whatever the nodes are called', () => {
    const recipe = recipeOf({
      '1': { class_type: 'CheckpointLoaderSimple', inputs: { ckpt_name: 'real.safetensors' } },
      '2': { class_type: 'CLIPTextEncode', inputs: { text: 'a lighthouse', clip: ['1', 1] } },
      '3': { class_type: 'CLIPTextEncode', inputs: { text: 'blurry', clip: ['1', 1] } },
      '4': { class_type: 'Other', inputs: { conditioning: ['3', 0] } },
      '5': {
        class_type: 'KSampler',
        inputs: {
          seed: 42,
          steps: 20,
          cfg: 7.5,
          positive: ['2', 0],
          negative: ['4', 0],
          sampler_name: 'euler',
        },
      },
    });
    assert.deepEqual(recipe, {
      prompts: [
        { text: 'a lighthouse', isNegative: false },
        { text: 'blurry', isNegative: true },
      ],
      seeds: ['42'],
      models: ['real.safetensors'],
      settings: [
        ['steps', '20'],
        ['cfg', '7.5'],
        ['sampler_name', 'euler'],
      ],
    });
  });

  it('is empty for anything but a workflow', () => {
    const empty = { prompts: [], seeds: [], models: [], settings: [] };
    assert.deepEqual(
      recipeOf({ a: null, b: 1, c: { inputs: 'x' }, d: { inputs: { seed: ['1', 0] } } }),
      empty,
    );
  });
});
