import assert from 'node:assert/strict';
import { test } from 'node:test';

import { createModelFiles } from './model-files.ts';

test('model files of several workers are listed once, by folder and name', () => {
  const first = { checkpoints: ['b.safetensors', 'a.safetensors'], loras: [] };
  const second = { checkpoints: ['c.safetensors', 'a.safetensors'], vae: ['ae.safetensors'] };
  const offered = [first];
  const models = createModelFiles(() => [...offered]);
  assert.deepEqual(models(), { checkpoints: ['a.safetensors', 'b.safetensors'], loras: [] });
  assert.equal(models(), models(), 'nothing is put together again while nothing changes');
  offered.push(second as never);
  assert.deepEqual(models(), {
    checkpoints: ['a.safetensors', 'b.safetensors', 'c.safetensors'],
    loras: [],
    vae: ['ae.safetensors'],
  });
});
