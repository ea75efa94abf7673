import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { createAbilities, type WorkerOffer } from './abilities.ts';
import type { JobNeeds } from './job-needs.ts';

const TYPES: Record<string, readonly string[]> = { plain: ['LoadImage'], models: ['LoadImage', 'KSampler'] };
const any = { kind: 'built-in', labels: [], models: {} } as const;
const cpu: WorkerOffer = { ...any, name: 'cpu', memoryBytes: 2, nodeTypes: 'plain' };
const gpu: WorkerOffer = {
  ...any,
  name: 'gpu',
  labels: ['gpu', 'eu'],
  memoryBytes: 8,
  nodeTypes: 'models',
};
const big: WorkerOffer = { ...gpu, name: 'big', memoryBytes: 80 };

const load: JobNeeds = { nodeTypes: ['LoadImage'], labels: [] };
const sample: JobNeeds = { nodeTypes: ['KSampler', 'LoadImage'], labels: [] };

const NOW = 1000;

function abilities(known = new Map<string, JobNeeds>()) {
  return createAbilities({
    clock: () => NOW,
    known: () => known,
    hasNodeType: (hash, type) => TYPES[hash]?.includes(type) ?? false,
  });
}

describe('which worker can run a job', () => {
  it('is one with every node type and every label', () => {
    const { isAble } = abilities();
    const able = (needs: JobNeeds) =>
      [cpu, gpu].filter((worker) => isAble(worker, needs, [cpu, gpu])).map(({ name }) => name);
    assert.deepEqual(able(load), ['cpu', 'gpu']);
    assert.deepEqual(able(sample), ['gpu']);
    assert.deepEqual(able({ ...load, labels: ['eu', 'gpu'] }), ['gpu']);
    assert.deepEqual(able({ ...load, labels: ['us'] }), []);
  });

  it('is none that has not reported its node types, unless the job needs nothing', () => {
    const { isAble } = abilities();
    const silent = { ...any, name: 'silent', memoryBytes: 1 };
    assert.equal(isAble(silent, load, [silent]), false);
    assert.equal(isAble(silent, { nodeTypes: [], labels: [] }, [silent]), true);
  });

  it('is one of the kind with all of its node types', () => {
    const { isAble, kindOf } = abilities();
    const comfyui: WorkerOffer = { ...gpu, name: 'comfyui', kind: 'comfyui' };
    const able = (needs: JobNeeds) =>
      [gpu, comfyui].filter((worker) => isAble(worker, needs, [gpu, comfyui])).map(({ name }) => name);
    assert.deepEqual(able(load), ['gpu']);
    assert.deepEqual(able({ ...load, kind: 'built-in' }), ['gpu']);
    assert.deepEqual(able({ ...load, kind: 'comfyui' }), ['comfyui']);
    assert.deepEqual(able({ ...load, kind: 'comfyui', labels: ['comfyui', 'gpu'] }), ['comfyui']);
    assert.deepEqual(able({ nodeTypes: [], labels: [] }), ['gpu']);
    assert.notEqual(kindOf(comfyui), kindOf(gpu));
  });

  it('is one with its model files, in any folder', () => {
    const { isAble, kindOf } = abilities();
    const one = { ...gpu, models: { checkpoints: ['a.safetensors', 'sub/b.safetensors'], loras: ['c.pt'] } };
    const other = { ...gpu, models: { checkpoints: ['a.safetensors'] } };
    const able = (...models: string[]) =>
      [one, other].map((worker) => isAble(worker, { ...sample, models }, [one, other]));
    assert.deepEqual(able('a.safetensors'), [true, true]);
    assert.deepEqual(able('a.safetensors', 'c.pt'), [true, false]);
    assert.deepEqual(able('b.safetensors'), [false, false]);
    assert.notEqual(kindOf(one), kindOf(other));
  });

  it('is one with more memory after memory was not enough', () => {
    const { isAble, hasMoreMemory } = abilities();
    const retried = { ...sample, memoryAbove: 8 };
    assert.equal(isAble(gpu, retried, [gpu, big]), false);
    assert.equal(isAble(big, retried, [gpu, big]), true);
    assert.equal(hasMoreMemory(sample, 8, [cpu, gpu, big]), true);
    assert.equal(hasMoreMemory(sample, 80, [cpu, gpu, big]), false);
    assert.equal(hasMoreMemory({ ...load, labels: ['us'] }, 2, [cpu, gpu, big]), false);
  });

  it('is for a while one that has not lost it, if there is one', () => {
    const { isAble } = abilities();
    const lost = { ...sample, lostAt: ['gpu'], othersUntil: NOW + 1 };
    assert.equal(isAble(gpu, lost, [cpu, gpu, big]), false);
    assert.equal(isAble(big, lost, [cpu, gpu, big]), true);
    assert.equal(isAble(gpu, lost, [cpu, gpu]), true);
    assert.equal(isAble(gpu, { ...lost, othersUntil: NOW }, [cpu, gpu, big]), true);
  });

  it('is none for the needs that no ready worker meets, including later ones', () => {
    const known = new Map([
      ['load', load],
      ['sample', sample],
    ]);
    const { unable } = abilities(known);
    assert.deepEqual(unable([cpu], [cpu, gpu]), ['sample']);
    assert.deepEqual(unable([cpu, gpu], [cpu, gpu]), []);
    assert.deepEqual(unable([], [cpu, gpu]), ['load', 'sample']);
    known.set('eu', { ...load, labels: ['eu'] });
    known.set('lost', { ...sample, lostAt: ['gpu'], othersUntil: NOW + 1 });
    assert.deepEqual(unable([cpu], [cpu, gpu]), ['sample', 'eu', 'lost']);
    assert.deepEqual(unable([gpu], [cpu, gpu]), []);
    assert.deepEqual(unable([gpu], [cpu, gpu, big]), ['lost']);
  });
});
