import assert from 'node:assert/strict';
import { beforeEach, it } from 'node:test';
import type { Outcome } from '@atelier/engine';
import { PATIENCE_MS } from '@atelier/testing';

import { onEachDatabase } from '../../../test/support/on-each-database.ts';
import { createInProcessBus } from '../../platform/bus/in-process-bus.ts';
import { createLiveJobs } from '../events/live-jobs.ts';
import type { UserEvent } from '../events/user-event.ts';
import type { JobQueue } from '../queue/create-job-queue.ts';
import { aQueue, someUsers, type TestQueue } from '../queue/test/a-queue.ts';
import type { Lane } from '../workers/create-workers.ts';
import { type RunOptions, WorkerLost } from '../workers/remote-attempt.ts';
import { createRuns, type RunsParts } from './create-runs.ts';

const ANY = { nodeTypes: [], labels: [] };

onEachDatabase('what a server runs', (db) => {
  let test: TestQueue;
  let ada = '';
  beforeEach(async () => {
    test = await aQueue(db());
    [ada = ''] = await someUsers(db(), 1);
  });

  /** Runs with one worker of one slot, which does nothing: a job runs until it is stopped. */
  function someRuns(
    changes: {
      readonly queue?: JobQueue;
      readonly onStarted?: (id: string) => void;
      readonly run?: Lane['run'];
    } = {},
  ) {
    const { run = untilAborted, ...otherParts } = changes;
    const errors: unknown[] = [];
    const started: string[] = [];
    const lost: string[] = [];
    let isBusy = false;
    const workers = {
      size: () => 1,
      load() {},
      hasReady: () => !isBusy,
      hasUnloaded: () => false,
      avoided: () => [],
      passedOver() {},
      unable: () => [],
      kinds: () => [],
      hasMoreMemory: () => false,
      take(): Lane {
        isBusy = true;
        return {
          isLocal: true,
          blame: () => {},
          worker: {
            instance: 'here',
            name: 'here',
            kind: 'built-in',
            labels: [],
            memoryBytes: 1,
            models: {},
          },
          run,
          release() {
            isBusy = false;
          },
        };
      },
    };
    const onError = (error: unknown) => void errors.push(error);
    const clock = () => test.now;
    const parts: RunsParts = {
      queue: test.queue,
      live: createLiveJobs({ bus: createInProcessBus<UserEvent>(onError), clock }),
      workers,
      needs: { get: async () => await Promise.resolve(ANY), put: async () => await Promise.resolve('retry') },
      clock,
      sliceMs: 20_000,
      files: {
        places: { foldersOf: async () => await Promise.resolve({ input: '', output: '', temp: '' }) },
        keep: async () => await Promise.resolve([]),
        assertRoom: async () => await Promise.resolve(),
      },
      workerFiles: { accessTo: () => assert.fail('not asked for') },
      partnerKeys: { open: () => assert.fail('not asked for') },
      statusOf: async () => await Promise.resolve('in_progress'),
      onStatus() {},
      tellHere() {},
      tellEnded() {},
      onStarted: (id) => started.push(id),
      onWorkerLost() {},
      cancel: () => assert.fail('not asked for'),
      onLost: ({ id }) => lost.push(id),
      onEnded() {},
      onError,
      ...otherParts,
    };
    return { runs: createRuns(parts), workers, errors, started, lost };
  }

  it('gives running jobs back when it stops', async () => {
    const id = await test.add(ada);
    const { runs, started } = someRuns();
    runs.wake();
    await until(() => started.length > 0);
    assert.partialDeepStrictEqual(await test.row(id), { status: 'in_progress', attempt: 1 });
    await runs.close();
    assert.partialDeepStrictEqual(await test.row(id), { status: 'pending', attempt: 0, runner: null });
  });

  it('restarts a job whose worker was lost, and fails it the third time', async () => {
    const id = await test.add(ada);
    const { runs, started, lost } = someRuns({
      run: async () => await Promise.reject(new WorkerLost('gone', 'The worker was lost.')),
    });
    runs.wake();
    await until(() => lost.length > 0);
    assert.deepEqual(started, [id, id, id]);
    assert.deepEqual(lost, [id]);
    assert.partialDeepStrictEqual(await test.row(id), { status: 'failed', attempt: 3 });
    await runs.close();
  });

  it('gives back a job that could not begin, without counting the attempt, and frees its lane', async () => {
    const id = await test.add(ada);
    const failure = new Error('nobody may know');
    const { runs, workers, errors } = someRuns({
      onStarted() {
        throw failure;
      },
    });
    runs.wake();
    await until(() => errors.includes(failure));
    assert.partialDeepStrictEqual(await test.row(id), { status: 'pending', attempt: 0, runner: null });
    assert.ok(workers.hasReady());
    assert.deepEqual(await test.queue.countsOf(ada), { waiting: 1, running: 0 });
    await runs.close();
  });

  it('runs no job that a claim returns after the stop has begun', async () => {
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

async function untilAborted(_id: string, { signal }: RunOptions): Promise<Outcome> {
  await new Promise((resolve) => signal.addEventListener('abort', resolve));
  return { status: 'interrupted', outputs: {}, meta: {}, executed: [] };
}

async function until(isSo: () => boolean): Promise<void> {
  const deadline = AbortSignal.timeout(PATIENCE_MS);
  while (!isSo()) {
    assert.ok(!deadline.aborted, 'waited in vain');
    await new Promise((resolve) => setImmediate(resolve));
  }
}
