import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { createAbilities, type WorkerOffer } from './able.ts';
import type { JobNeeds } from './job-needs.ts';

const TYPES: Record<string, readonly string[]> = { plain: ['LoadImage'], models: ['LoadImage', 'KSampler'] };
const cpu: WorkerOffer = { name: 'cpu', labels: [], memoryBytes: 2, nodeTypes: 'plain' };
const gpu: WorkerOffer = { name: 'gpu', labels: ['gpu', 'eu'], memoryBytes: 8, nodeTypes: 'models' };
const big: WorkerOffer = { ...gpu, name: 'big', memoryBytes: 80 };

const load: JobNeeds = { nodeTypes: ['LoadImage'], labels: [] };
const sample: JobNeeds = { nodeTypes: ['KSampler', 'LoadImage'], labels: [] };

function abilities(known = new Map<string, JobNeeds>()) {
  return createAbilities({
    known: () => known,
    hasNodeType: (hash, type) => TYPES[hash]?.includes(type) ?? false,
  });
}

describe('which worker can run a job', () => {
  it('one that has every node type and every label', () => {
    const { isAble } = abilities();
    const able = (needs: JobNeeds) =>
      [cpu, gpu].filter((worker) => isAble(worker, needs, [cpu, gpu])).map(({ name }) => name);
    assert.deepEqual(able(load), ['cpu', 'gpu']);
    assert.deepEqual(able(sample), ['gpu']);
    assert.deepEqual(able({ ...load, labels: ['eu', 'gpu'] }), ['gpu']);
    assert.deepEqual(able({ ...load, labels: ['us'] }), []);
  });

  it('none that has not said what it can run, unless nothing is needed', () => {
    const { isAble } = abilities();
    const silent = { name: 'silent', labels: [], memoryBytes: 1 };
    assert.equal(isAble(silent, load, [silent]), false);
    assert.equal(isAble(silent, { nodeTypes: [], labels: [] }, [silent]), true);
  });

  it('one with more memory, once memory was not enough', () => {
    const { isAble, hasMoreMemory } = abilities();
    const retried = { ...sample, memoryAbove: 8 };
    assert.equal(isAble(gpu, retried, [gpu, big]), false);
    assert.equal(isAble(big, retried, [gpu, big]), true);
    assert.equal(hasMoreMemory(sample, 8, [cpu, gpu, big]), true);
    assert.equal(hasMoreMemory(sample, 80, [cpu, gpu, big]), false);
    assert.equal(hasMoreMemory({ ...load, labels: ['us'] }, 2, [cpu, gpu, big]), false);
  });

  it('one that has not lost it, as long as there is such a one', () => {
    const { isAble } = abilities();
    const lost = { ...sample, lostAt: ['gpu'] };
    assert.equal(isAble(gpu, lost, [cpu, gpu, big]), false);
    assert.equal(isAble(big, lost, [cpu, gpu, big]), true);
    assert.equal(isAble(gpu, lost, [cpu, gpu]), true);
  });

  it('and what none that is ready can run, also of needs that come later', () => {
    const known = new Map([
      ['load', load],
      ['sample', sample],
    ]);
    const { unable } = abilities(known);
    assert.deepEqual(unable([cpu], [cpu, gpu]), ['sample']);
    assert.deepEqual(unable([cpu, gpu], [cpu, gpu]), []);
    assert.deepEqual(unable([], [cpu, gpu]), ['load', 'sample']);
    known.set('eu', { ...load, labels: ['eu'] });
    known.set('lost', { ...sample, lostAt: ['gpu'] });
    assert.deepEqual(unable([cpu], [cpu, gpu]), ['sample', 'eu', 'lost']);
    assert.deepEqual(unable([gpu], [cpu, gpu]), []);
    assert.deepEqual(unable([gpu], [cpu, gpu, big]), ['lost']);
  });
});
