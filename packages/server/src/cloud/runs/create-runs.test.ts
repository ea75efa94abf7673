import assert from 'node:assert/strict';
import { beforeEach, it } from 'node:test';
import type { Runner } from '@atelier/engine';
import { PATIENCE_MS } from '@atelier/testing';

import { onEachDatabase } from '../../../test/support/on-each-database.ts';
import { createInProcessBus } from '../../platform/bus/in-process-bus.ts';
import { createLiveJobs } from '../events/live-jobs.ts';
import type { UserEvent } from '../events/user-event.ts';
import type { JobQueue } from '../queue/job-queue.ts';
import { aQueue, someUsers, type TestQueue } from '../queue/test/a-queue.ts';
import { createRuns, type RunsParts } from './create-runs.ts';
import { createRunnerPool } from './runner-pool.ts';

onEachDatabase('what a server runs', (db) => {
  let test: TestQueue;
  let ada = '';
  beforeEach(async () => {
    test = await aQueue(db());
    [ada = ''] = await someUsers(db(), 1);
  });

  /** Runs whose threads do nothing: a job runs until it is stopped. */
  function someRuns(changes: { readonly queue?: JobQueue; readonly onStarted?: (id: string) => void }) {
    const errors: unknown[] = [];
    const started: string[] = [];
    let threads = 0;
    const runner: Runner = {
      async run(_job, { signal } = {}) {
        await new Promise((resolve) => signal?.addEventListener('abort', resolve));
        return { status: 'interrupted', outputs: {}, meta: {}, executed: [] };
      },
      // Later than the call, as a thread is.
      ready: async () => await new Promise((resolve) => setImmediate(resolve)),
      check: async () => await Promise.reject(new Error('not asked for')),
      describe: async () => await Promise.reject(new Error('not asked for')),
      forget() {},
      close: async () => await Promise.resolve(),
    };
    const onError = (error: unknown) => void errors.push(error);
    const pool = createRunnerPool({
      size: 2,
      onError,
      create() {
        threads += 1;
        if (threads > 1) throw new Error('no second thread');
        return runner;
      },
    });
    const clock = () => test.now;
    const parts: RunsParts = {
      queue: test.queue,
      live: createLiveJobs({ bus: createInProcessBus<UserEvent>(onError), clock }),
      pool,
      clock,
      sliceMs: 20_000,
      files: {
        foldersOf: async () => await Promise.resolve({ input: '', output: '', temp: '' }),
        filesOf: () => assert.fail('not asked for'),
        keep: async () => await Promise.resolve(),
        assertRoom: async () => await Promise.resolve(),
      },
      partnerKeys: { open: () => assert.fail('not asked for') },
      statusOf: async () => await Promise.resolve('in_progress'),
      onStatus() {},
      tellHere() {},
      tellEnded() {},
      onStarted: (id) => started.push(id),
      onLost() {},
      onEnded() {},
      onError,
      ...changes,
    };
    return { runs: createRuns(parts), pool, errors, started };
  }

  it('goes on with a job whose successor gets no thread, and gives it back at the stop', async () => {
    const id = await test.add(ada);
    const { runs, started, errors } = someRuns({});
    runs.wake();
    await until(() => started.length > 0 && errors.length > 0);
    assert.partialDeepStrictEqual(await test.row(id), { status: 'in_progress', attempt: 1 });
    await runs.close();
    assert.partialDeepStrictEqual(await test.row(id), { status: 'pending', attempt: 0, runner: null });
  });

  it('gives a job back that could not begin, without a try, and its lane is free', async () => {
    const id = await test.add(ada);
    const failure = new Error('nobody may know');
    const { runs, pool, errors } = someRuns({
      onStarted() {
        throw failure;
      },
    });
    runs.wake();
    await until(() => errors.includes(failure));
    assert.partialDeepStrictEqual(await test.row(id), { status: 'pending', attempt: 0, runner: null });
    assert.ok(pool.hasReady());
    assert.deepEqual(await test.queue.countsOf(ada), { waiting: 1, running: 0 });
    await runs.close();
  });

  it('runs nothing that comes back from a claim after the stop has begun', async () => {
    const id = await test.add(ada);
    const [claiming, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const { runs, started } = someRuns({
      queue: {
        ...test.queue,
        async claim() {
          claiming.resolve();
          await goOn.promise;
          return await test.queue.claim();
        },
      },
    });
    runs.wake();
    await claiming.promise;
    const closed = runs.close();
    goOn.resolve();
    await closed;
    runs.wake();
    await runs.close();
    assert.deepEqual(started, []);
    assert.partialDeepStrictEqual(await test.row(id), { status: 'pending', attempt: 0, runner: null });
  });
});

async function until(isSo: () => boolean): Promise<void> {
  const deadline = AbortSignal.timeout(PATIENCE_MS);
  while (!isSo()) {
    assert.ok(!deadline.aborted, 'waited in vain');
    await new Promise((resolve) => setImmediate(resolve));
  }
}
