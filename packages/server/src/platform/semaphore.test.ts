import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';

import { createSemaphore } from './semaphore.ts';

describe('a semaphore with one place', () => {
  it('has one holder at a time, in order of arrival', async () => {
    const mutex = createSemaphore(1);
    const order: number[] = [];
    let holders = 0;
    await Promise.all(
      [1, 2, 3, 4].map(async (n) => {
        const release = await mutex.acquire();
        holders += 1;
        assert.equal(holders, 1);
        await setImmediate();
        order.push(n);
        holders -= 1;
        release();
      }),
    );
    assert.deepEqual(order, [1, 2, 3, 4]);
  });

  it('counts a release that is called twice as one', async () => {
    const places = createSemaphore(1);
    const first = await places.acquire();
    first();
    first();
    const second = await places.acquire();
    let third = false;
    const waiting = places.acquire().finally(() => {
      third = true;
    });
    await setImmediate();
    assert.equal(third, false);
    second();
    await setImmediate();
    assert.equal(third, true);
    await waiting;
  });
});
