import assert from 'node:assert/strict';
import { it } from 'node:test';

import type { Json } from './json.ts';
import { catalogue } from './test/node-types.ts';
import { toEditorFormat } from './to-editor-format.ts';
import { toPrompt } from './to-prompt.ts';

it('A workflow of the API format comes back the same out of a file of the editor.', () => {
  const api: Json = {
    1: { class_type: 'Model', inputs: { name: 'a.safetensors' }, _meta: { title: 'Model' } },
    2: { class_type: 'Prompt', inputs: { text: 'a cat' }, _meta: { title: 'Words' } },
    4: {
      class_type: 'Sampler',
      inputs: { seed: 2n ** 64n - 1n, steps: 20, sampler: 'ddim', model: ['1', 0], positive: ['2', 0] },
      _meta: { title: 'Sampler' },
    },
    5: { class_type: 'Load', inputs: { image: 'a.png', note: '' }, _meta: { title: 'Load Image' } },
    6: {
      class_type: 'Resize',
      inputs: { how: 'factor', 'how.by': 3, crop: true, image: ['5', 0] },
      _meta: { title: 'Resize' },
    },
    7: { class_type: 'Save', inputs: { prefix: 'x', images: ['6', 0] }, _meta: { title: 'Save' } },
  };
  const file = toEditorFormat(api, catalogue);
  assert.deepEqual(toPrompt(file, catalogue), api);
  const [model, , sampler] = file['nodes'] as { pos: [number, number] }[];
  assert.ok((sampler?.pos[0] ?? 0) > (model?.pos[0] ?? 0), 'what comes later stands further right');
});
