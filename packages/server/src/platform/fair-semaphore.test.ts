import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';

import { createFairSemaphore } from './fair-semaphore.ts';
import type { Release } from './semaphore.ts';

/** Holders by name: the first letter is the account. */
function line(places: number) {
  const semaphore = createFairSemaphore(places);
  const begun: string[] = [];
  const releases = new Map<string, Release>();
  return {
    begun,
    async add(name: string, signal?: AbortSignal) {
      semaphore.acquire(name.charAt(0), signal).then(
        (release) => {
          begun.push(name);
          return releases.set(name, release);
        },
        () => undefined,
      );
      await setImmediate();
    },
    async end(name: string) {
      releases.get(name)?.();
      await setImmediate();
    },
  };
}

describe('a fair semaphore', () => {
  it('gives one account all places only while no other waits', async () => {
    const { begun, add, end } = line(2);
    for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2']) await add(name);
    assert.deepEqual(begun, ['a1', 'a2']);
    await end('a1');
    assert.deepEqual(begun, ['a1', 'a2', 'b1']);
    await end('b1');
    assert.deepEqual(begun, ['a1', 'a2', 'b1', 'b2']);
    await end('a2');
    await end('b2');
    assert.deepEqual(begun.slice(4), ['a3', 'a4']);
  });

  it('lets accounts take turns in one place', async () => {
    const { begun, add, end } = line(1);
    for (const name of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) await add(name);
    for (const name of ['a1', 'b1', 'c1', 'a2', 'b2']) await end(name);
    assert.deepEqual(begun, ['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  });

  it('forgets callers that give up before their turn, and counts a double release once', async () => {
    const { begun, add, end } = line(1);
    const leaving = new AbortController();
    await add('a1');
    await add('b1', leaving.signal);
    await add('c1');
    leaving.abort();
    await add('d1', leaving.signal);
    await end('a1');
    await end('a1');
    assert.deepEqual(begun, ['a1', 'c1']);
    await end('c1');
    await add('e1');
    assert.deepEqual(begun, ['a1', 'c1', 'e1']);
  });
});
