import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { WorkerOffer } from './abilities.ts';
import { whatIsMissing } from './what-is-missing.ts';

const worker = (changes: Partial<WorkerOffer>): WorkerOffer => ({
  name: 'w',
  kind: 'comfyui',
  labels: ['eu'],
  memoryBytes: 1,
  nodeTypes: 'hash',
  models: { checkpoints: ['a.safetensors'] },
  ...changes,
});
const hasNodeType = (_hash: string, type: string) => type === 'KSampler';
const needs = { kind: 'comfyui', labels: [], nodeTypes: ['KSampler'], models: ['a.safetensors'] } as const;

test('a job that a worker can run lacks nothing', () => {
  assert.equal(whatIsMissing(needs, [worker({})], hasNodeType), undefined);
});

test('what the closest worker lacks is named', () => {
  const lacks = (changes: object, workers = [worker({}), worker({ models: {} })]) =>
    whatIsMissing({ ...needs, ...changes }, workers, hasNodeType);
  assert.equal(lacks({ labels: ['gpu'] }), 'Waiting for a worker that has the label gpu.');
  assert.equal(lacks({ models: ['b.ckpt'] }), 'Waiting for a worker that has the model b.ckpt.');
  assert.equal(
    lacks({ nodeTypes: ['A', 'B', 'C', 'D'] }),
    'Waiting for a worker that has the node type A, the node type B, the node type C and 1 more.',
  );
  assert.equal(
    lacks({ models: ['a.safetensors', 'b.ckpt'] }, [worker({}), worker({ models: { loras: ['b.ckpt'] } })]),
    'Waiting for a worker that has all it needs: the closest one lacks the model b.ckpt.',
  );
  assert.equal(lacks({}, []), 'Waiting for a ComfyUI worker to be ready.');
  assert.equal(lacks({ labels: ['comfyui'] }), undefined);
});

test('a job of built-in types says how it could run at the ComfyUI that has its labels', () => {
  const builtIn = { kind: 'built-in', labels: ['gpu'], nodeTypes: [] } as const;
  const workers = [worker({ kind: 'built-in' }), worker({ labels: ['gpu'] })];
  const missing = whatIsMissing(builtIn, workers, hasNodeType);
  assert.match(missing ?? '', /built-in worker that has the label gpu\. .* ask for the label comfyui too\.$/);
  const both = [...workers, worker({ kind: 'built-in', labels: ['gpu'] })];
  assert.equal(whatIsMissing(builtIn, both, hasNodeType), undefined);
});
