import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { createSerialQueue } from './serial-queue.ts';

describe('steps in order', () => {
  it('run at once while none has to wait', () => {
    const steps = createSerialQueue(() => 0);
    const done: number[] = [];
    steps.add(() => void done.push(1));
    steps.add(() => void done.push(2));
    assert.deepEqual(done, [1, 2]);
  });

  it('wait behind one that waits, in order', async () => {
    const steps = createSerialQueue(() => 0);
    const done: string[] = [];
    const gate = Promise.withResolvers<void>();
    steps.add(async () => {
      await gate.promise;
      done.push('slow');
    });
    steps.add(() => void done.push('quick'));
    steps.add(async () => {
      await Promise.resolve();
      done.push('third');
    });
    assert.deepEqual(done, []);
    gate.resolve();
    await steps.done();
    assert.deepEqual(done, ['slow', 'quick', 'third']);
    const again: string[] = [];
    steps.add(() => void again.push('at once'));
    assert.deepEqual(again, ['at once']);
  });

  it('report the first failure and still run the others', async () => {
    const steps = createSerialQueue(() => 0);
    const done: string[] = [];
    steps.add(async () => await Promise.reject(new Error('first')));
    steps.add(async () => await Promise.reject(new Error('second')));
    steps.add(() => void done.push('still done'));
    await assert.rejects(steps.done(), /first/);
    assert.deepEqual(done, ['still done']);
  });

  it('yield the event loop during a long burst', async () => {
    let now = 0;
    const steps = createSerialQueue(() => now);
    const done: string[] = [];
    for (const name of ['first', 'second', 'third']) {
      steps.add(() => {
        now += 20;
        done.push(name);
        return undefined;
      });
    }
    setImmediate(() => done.push('other work'));
    assert.deepEqual(done, ['first']);
    await steps.done();
    assert.deepEqual(done, ['first', 'second', 'other work', 'third']);
  });
});
