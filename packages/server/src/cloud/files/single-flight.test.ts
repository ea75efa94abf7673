import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';

import { createFairSemaphore } from '../../platform/fair-semaphore.ts';
import { createSingleFlight } from './single-flight.ts';

/** Work of one place that ends by hand. */
function oneAtATime() {
  const share = createSingleFlight(createFairSemaphore(1));
  const begun: string[] = [];
  const ends = new Map<string, PromiseWithResolvers<void>>();
  const settle = async () => await setImmediate();
  return {
    begun,
    join(account: string, key: string, signal = new AbortController().signal): Promise<string> {
      return share(key, { account, signal }, async () => {
        begun.push(key);
        const end = Promise.withResolvers<void>();
        ends.set(key, end);
        await end.promise;
      }).then(
        () => 'made',
        (error: Error) => error.message,
      );
    },
    settle,
    async end(key: string, error?: Error) {
      if (error) ends.get(key)?.reject(error);
      else ends.get(key)?.resolve();
      await settle();
    },
  };
}

describe('single-flight work', () => {
  it('is done once for all who wait, before and after it starts, and again for later callers', async () => {
    const { begun, join, end, settle } = oneAtATime();
    const joined = [join('a', 'x'), join('a', 'x'), join('b', 'x')];
    await settle();
    joined.push(join('c', 'x'));
    await end('x');
    assert.deepEqual(await Promise.all(joined), ['made', 'made', 'made', 'made']);
    assert.deepEqual(begun, ['x']);
    const again = join('a', 'x');
    await settle();
    await end('x', new Error('broken'));
    assert.equal(await again, 'broken');
    assert.deepEqual(begun, ['x', 'x']);
  });

  it('runs at the first turn of any account that waits for it', async () => {
    const { begun, join, end, settle } = oneAtATime();
    for (const name of ['a1', 'a2', 'ax', 'b1', 'bx']) {
      void join(name.charAt(0), name.charAt(1));
      await settle();
    }
    await end('1');
    await end('x');
    assert.deepEqual(begun, ['1', 'x', '2']);
  });

  it('is not started when all callers have left, and continues for those who have not', async () => {
    const { begun, join, end, settle } = oneAtATime();
    const leaving = new AbortController();
    void join('a', 'first');
    const left = [join('a', 'x', leaving.signal), join('a', 'y', leaving.signal)];
    const stays = join('b', 'y');
    await settle();
    leaving.abort(new Error('gone'));
    assert.deepEqual(await Promise.all(left), ['gone', 'gone']);
    await end('first');
    await end('y');
    assert.equal(await stays, 'made');
    assert.deepEqual(begun, ['first', 'y']);
    const late = join('a', 'x');
    await settle();
    await end('x');
    assert.equal(await late, 'made');
  });
});
