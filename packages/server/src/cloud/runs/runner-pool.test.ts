import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Runner } from '@atelier/engine';

import { createRunnerPool } from './runner-pool.ts';

function counted() {
  const made: Runner[] = [];
  const create = (): Runner => {
    const runner: Runner = {
      run: async () => await Promise.reject(new Error('not asked for')),
      forget() {},
      close: async () => await Promise.resolve(),
    };
    made.push(runner);
    return runner;
  };
  return { made, create };
}

describe('the pool of runners', () => {
  it('has no more lanes than places', () => {
    const pool = createRunnerPool({ places: 2, ...counted() });
    assert.ok(pool.take('ada'));
    assert.ok(pool.take('ada'));
    assert.equal(pool.hasFree(), false);
    assert.equal(pool.take('bob'), undefined);
  });

  it('gives a user the runner that may still have the results of the last job', () => {
    const pool = createRunnerPool({ places: 2, ...counted() });
    const [first, second] = [pool.take('ada'), pool.take('bob')];
    const ofBob = second?.runner();
    assert.notEqual(first?.runner(), ofBob);
    first?.free();
    second?.free();
    assert.equal(pool.take('bob')?.runner(), ofBob);
  });

  it('starts a thread only when no started one is free', () => {
    const { made, create } = counted();
    const pool = createRunnerPool({ places: 4, create });
    for (const user of ['ada', 'bob', 'eve']) {
      const lane = pool.take(user);
      lane?.runner();
      lane?.free();
    }
    assert.equal(made.length, 1);
  });
});
