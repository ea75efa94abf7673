import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createArena } from './arena.ts';
import { buffersOf } from './buffers.ts';
import { createResultCache, toResult } from './cache/result-cache.ts';
import { NodeError } from './node-error.ts';

const LIMITS = { limitBytes: 4000, spareBytes: 2000 };

describe('an arena', () => {
  it('uses the buffer of a result again once nobody holds it', () => {
    const arena = createArena(LIMITS);
    const call = arena.lend();
    const array = call.memory.floats(100);
    const kept = buffersOf(array);
    arena.retain(kept);
    call.end(kept);
    assert.equal(arena.usedBytes(), 400);
    assert.notEqual(arena.lend().memory.floats(100).buffer, array.buffer);
    arena.release(kept);
    assert.equal(arena.lend().memory.dirtyFloats(100).buffer, array.buffer);
  });

  it('gives zeroes where it promises them, also in a buffer that was used', () => {
    const arena = createArena(LIMITS);
    const { memory } = arena.lend();
    const first = memory.dirtyFloats(10).fill(7);
    memory.free(first);
    assert.deepEqual(
      [...memory.floats(10)],
      Array.from({ length: 10 }, () => 0),
    );
  });

  it('never uses scratch again that its node did not give back', () => {
    const arena = createArena(LIMITS);
    const call = arena.lend();
    const scratch = call.memory.floats(100);
    call.end(new Set());
    assert.equal(arena.usedBytes(), 0);
    assert.notEqual(arena.lend().memory.floats(100).buffer, scratch.buffer);
  });

  it('never uses again what somebody outside may hold', () => {
    const arena = createArena(LIMITS);
    const call = arena.lend();
    const array = call.memory.floats(100);
    const kept = buffersOf(array);
    arena.retain(kept);
    call.end(kept);
    arena.disown(kept);
    arena.release(kept);
    assert.notEqual(arena.lend().memory.floats(100).buffer, array.buffer);
  });

  it('refuses what exceeds its bound with a sentence', () => {
    const arena = createArena(LIMITS);
    const { memory } = arena.lend();
    memory.floats(900);
    assert.throws(
      () => memory.floats(200),
      (error) => error instanceof NodeError && error.exceptionType === 'OOMError',
    );
    assert.throws(() => memory.floats(Number.NaN), /cannot have NaN elements/);
    assert.throws(() => memory.floats(-1), /cannot have -1 elements/);
  });

  it('asks the cache to make room before it refuses', () => {
    const arena = createArena(LIMITS);
    const cache = createResultCache(arena, { limitBytes: 100_000 });
    for (const key of ['a', 'b', 'c']) {
      const call = arena.lend();
      const result = toResult([[call.memory.floats(300)]]);
      cache.set(key, result);
      call.end(result.buffers);
    }
    arena.lend().memory.floats(600);
    assert.equal(cache.get('a'), undefined);
    assert.equal(cache.get('b'), undefined);
    assert.notEqual(cache.get('c'), undefined);
  });
});

describe('the cache of results', () => {
  it('lets the least recently used go first', () => {
    const cache = createResultCache(createArena(LIMITS), { limitBytes: 2500 });
    cache.set('a', toResult([['x']]));
    cache.set('b', toResult([['x']]));
    cache.get('a');
    cache.set('c', toResult([['x']]));
    assert.notEqual(cache.get('a'), undefined);
    assert.equal(cache.get('b'), undefined);
  });

  it('counts a buffer that several results share once', () => {
    const arena = createArena({ limitBytes: 1e6, spareBytes: 0 });
    const cache = createResultCache(arena, { limitBytes: 1e6 });
    const array = new Float32Array(1000);
    cache.set('a', toResult([[array]]));
    const one = cache.bytes();
    cache.set('b', toResult([[array.subarray(0, 10)]]));
    assert.ok(cache.bytes() < one + 4000);
    cache.clear();
    assert.equal(cache.bytes(), 0);
  });
});
