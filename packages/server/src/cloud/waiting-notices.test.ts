import assert from 'node:assert/strict';
import { test } from 'node:test';

import { createWaitingNotices } from './waiting-notices.ts';

/** What the owner of a job that waits is told. */
async function noticeWith({
  running,
  limit,
  missing,
}: {
  readonly running: number;
  readonly limit: number;
  readonly missing?: string;
}) {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const notices = createWaitingNotices({
    waitingOf: async (_userId, ids) => await Promise.resolve(ids),
    countsOf: async () => await Promise.resolve({ waiting: 1, running }),
    limitOf: async () => await Promise.resolve(limit),
    whatIsMissing: async () => await Promise.resolve(missing),
    hasListeners: () => true,
    notify: (_userId, _jobId, text) => {
      resolve(text);
    },
    onError: reject,
  });
  notices.accepted({ id: 'job', userId: 'user', needs: null });
  // The timer alone keeps no process alive.
  const alive = setInterval(() => undefined, 1000);
  try {
    return await promise;
  } finally {
    clearInterval(alive);
    notices.close();
  }
}

test('[JOB-35] a notice about a busy fleet does not contain what the editor shows as "almost ready"', async () => {
  const text = await noticeWith({ running: 0, limit: 5 });
  assert.equal(text, 'Waiting for a free machine.');
  assert.ok(!text.includes('Waiting for a machine'));
});

test('[WRK-18] the owner of a waiting job is told what is missing', async () => {
  const missing = 'Waiting for a worker that has the model a.ckpt.';
  assert.equal(await noticeWith({ running: 0, limit: 5, missing }), missing);
});

test('[JOB-35] an owner who waits for their own jobs is told how many run', async () => {
  assert.equal(
    await noticeWith({ running: 1, limit: 1 }),
    'Waiting for your other jobs: one runs at a time.',
  );
  assert.equal(await noticeWith({ running: 3, limit: 3 }), 'Waiting for your other jobs: 3 run at a time.');
});
