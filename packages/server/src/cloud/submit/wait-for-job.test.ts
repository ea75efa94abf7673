import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';

import { createInProcessBus } from '../../platform/bus/in-process-bus.ts';
import { keptMessage } from '../events/messages.ts';
import type { UserEvent } from '../events/user-event.ts';
import { createJobWaiter } from './wait-for-job.ts';

const ENDED = { status: 'completed', ended_at: 1, error: null, outputs: '{}' } as const;
const OPEN = { status: 'in_progress', ended_at: null, error: null, outputs: null } as const;

function setUp() {
  const bus = createInProcessBus<UserEvent>((error) => {
    throw error;
  });
  const job: { row: typeof ENDED | typeof OPEN; reads: number } = { row: OPEN, reads: 0 };
  const findEnd = async () => {
    job.reads += 1;
    return job.row;
  };
  const waiter = createJobWaiter({ bus, findEnd });
  const end = (jobId = 'j1') => {
    if (jobId === 'j1') job.row = ENDED;
    bus.publish('ada', keptMessage(jobId, { id: '1', type: 'execution_success', data: {} }));
  };
  const options = (more = {}) => ({
    ms: 60_000,
    signal: new AbortController().signal,
    isNew: true,
    check: async () => {},
    ...more,
  });
  return { waiter, job, end, options };
}

const afterSeconds = async (test: TestContext, seconds: number) => {
  for (let n = 0; n < seconds; n += 1) {
    test.mock.timers.tick(1000);
    await turn();
  }
};

describe('waiting for a job', () => {
  it('reads its row once, at the end', async () => {
    const { waiter, job, end, options } = setUp();
    using watching = waiter.watch('ada');
    const waiting = watching.wait('j1', options());
    await turn();
    end('j2');
    await turn();
    assert.equal(job.reads, 0);
    end();
    assert.equal(await waiting, ENDED);
    assert.equal(job.reads, 1);
  });

  it('does not miss an end before the id is known', async () => {
    const { waiter, job, end, options } = setUp();
    using watching = waiter.watch('ada');
    end();
    assert.equal(await watching.wait('j1', options()), ENDED);
    assert.equal(job.reads, 1);
  });

  it('reads the row at once when the job may have ended already', async () => {
    const { waiter, job, options } = setUp();
    job.row = ENDED;
    using watching = waiter.watch('ada');
    assert.equal(await watching.wait('j1', options({ isNew: false })), ENDED);
  });

  it('reads the row less and less often, and checks the caller every second', async (test) => {
    test.mock.timers.enable({ apis: ['setInterval'] });
    const { waiter, job, options } = setUp();
    let checks = 0;
    using watching = waiter.watch('ada');
    const check = async () => void (checks += 1);
    const waiting = watching.wait('j1', options({ check }));
    await afterSeconds(test, 17);
    assert.deepEqual([job.reads, checks], [5, 17]);
    job.row = ENDED;
    await afterSeconds(test, 9);
    assert.equal(await waiting, ENDED);
    assert.equal(job.reads, 6);
  });

  it('ends with the current state when the caller is gone, time is up or the server stops', async () => {
    const { waiter, options } = setUp();
    using watching = waiter.watch('ada');
    assert.equal(await watching.wait('j1', options({ signal: AbortSignal.abort() })), OPEN);
    assert.equal(await watching.wait('j1', options({ ms: 1 })), OPEN);
    const waiting = watching.wait('j1', options());
    await turn();
    waiter.close();
    assert.equal(await waiting, OPEN);
  });

  it('ends when the caller may no longer wait', async (test) => {
    test.mock.timers.enable({ apis: ['setInterval'] });
    const { waiter, options } = setUp();
    using watching = waiter.watch('ada');
    const check = async () => {
      throw new Error('revoked');
    };
    const waiting = assert.rejects(watching.wait('j1', options({ check })), /revoked/);
    await afterSeconds(test, 1);
    await waiting;
  });
});
