import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Runner } from '@atelier/engine';

import { createRunnerPool } from './runner-pool.ts';

/** A pool whose threads are ready when the test says so. */
function pool(size: number) {
  const made: { readonly runner: Runner; readonly ready: () => void; readonly fail: () => void }[] = [];
  const failures: unknown[] = [];
  const runners = createRunnerPool({
    size,
    onError: (error) => failures.push(error),
    create() {
      const loaded = Promise.withResolvers<void>();
      const runner: Runner = {
        run: async () => await Promise.reject(new Error('not asked for')),
        ready: async () => await loaded.promise,
        check: async () => await Promise.reject(new Error('not asked for')),
        describe: async () => await Promise.reject(new Error('not asked for')),
        forget() {},
        close: async () => await Promise.resolve(),
      };
      made.push({ runner, ready: loaded.resolve, fail: () => loaded.reject(new Error('no such pack')) });
      return runner;
    },
  });
  const start = async (): Promise<void> => {
    const ready = Promise.withResolvers<void>();
    runners.startOne(ready.resolve);
    made.at(-1)?.ready();
    await ready.promise;
  };
  return { runners, made, start, failures };
}

describe('the pool of runners', () => {
  it('has nothing to offer until a thread is ready', async () => {
    const { runners, start } = pool(2);
    assert.equal(runners.hasReady(), false);
    assert.equal(runners.take('ada'), undefined);
    await start();
    assert.equal(runners.hasReady(), true);
  });

  it('has no more lanes than places, and one thread at a time is on its way', async () => {
    const { runners, made, start } = pool(2);
    runners.startOne(() => {});
    runners.startOne(() => {});
    assert.equal(made.length, 1);
    made[0]?.ready();
    await Promise.resolve();
    await Promise.resolve();
    await start();
    runners.startOne(() => {});
    assert.equal(made.length, 2);
    assert.ok(runners.take('ada'));
    assert.ok(runners.take('ada'));
    assert.equal(runners.take('bob'), undefined);
  });

  it('gives a user the runner that may still have the results of the last job', async () => {
    const { runners, start } = pool(2);
    await start();
    await start();
    const [first, second] = [runners.take('ada'), runners.take('bob')];
    assert.notEqual(first?.runner, second?.runner);
    first?.free();
    second?.free();
    assert.equal(runners.take('bob')?.runner, second?.runner);
  });

  it('tries again after a thread that could not load', async () => {
    const { runners, made, start, failures } = pool(1);
    runners.startOne(() => {});
    made[0]?.fail();
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(failures.length, 1);
    await start();
    assert.ok(runners.take('ada'));
  });
});
