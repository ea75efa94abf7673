import assert from 'node:assert/strict';
import { test } from 'node:test';

import { createFairQueue } from './fair-queue.ts';

/** Work that ends on demand. `begun` lists the items in the order of their start. */
function byHand(concurrency: number) {
  const begun: string[] = [];
  const ends = new Map<string, PromiseWithResolvers<void>>();
  const errors: unknown[] = [];
  const queue = createFairQueue({
    concurrency,
    work: async (item) => {
      begun.push(item);
      const end = Promise.withResolvers<void>();
      ends.set(item, end);
      await end.promise;
    },
    onError: (error) => errors.push(error),
  });
  const settle = async () => await new Promise((resolve) => setImmediate(resolve));
  return {
    queue,
    add: (publisher: string, item: string, account = publisher) => queue.add({ account, publisher }, item),
    begun,
    errors,
    end: async (item: string) => {
      ends.get(item)?.resolve();
      await settle();
    },
    fail: async (item: string, error: Error) => {
      ends.get(item)?.reject(error);
      await settle();
    },
  };
}

test('as many are worked on at once as there are places', async () => {
  const { add, begun, end } = byHand(2);
  for (const item of ['a1', 'a2', 'a3']) add('a', item);
  assert.deepEqual(begun, ['a1', 'a2']);
  await end('a2');
  assert.deepEqual(begun, ['a1', 'a2', 'a3']);
});

test('an account with much to do keeps at most one place while others wait', async () => {
  const { add, begun, end } = byHand(2);
  for (const item of ['a1', 'a2', 'a3', 'a4']) add('a', item);
  for (const item of ['b1', 'b2']) add('b', item);
  await end('a1');
  assert.deepEqual(begun, ['a1', 'a2', 'b1']);
  await end('a2');
  assert.deepEqual(begun, ['a1', 'a2', 'b1', 'a3']);
  await end('b1');
  assert.deepEqual(begun, ['a1', 'a2', 'b1', 'a3', 'b2']);
  await end('b2');
  assert.deepEqual(begun, ['a1', 'a2', 'b1', 'a3', 'b2', 'a4']);
});

test('accounts take turns in one place', async () => {
  const { add, begun, end } = byHand(1);
  for (const owner of ['a', 'b', 'c']) for (const n of [1, 2]) add(owner, `${owner}${n}`);
  for (let done = 0; done < 5; done += 1) await end(begun.at(-1) ?? '');
  assert.deepEqual(begun, ['a1', 'b1', 'c1', 'a2', 'b2', 'c2']);
});

test('an account with many publishers has the turns of one, and its publishers share them', async () => {
  const { add, begun, end } = byHand(1);
  for (const publisher of ['a', 'b', 'c']) for (const n of [1, 2]) add(publisher, `${publisher}${n}`, 'many');
  for (const n of [1, 2, 3]) add('z', `z${n}`, 'one');
  for (let done = 0; done < 8; done += 1) await end(begun.at(-1) ?? '');
  assert.deepEqual(begun, ['a1', 'z1', 'b1', 'z2', 'c1', 'z3', 'a2', 'b2', 'c2']);
});

test('an account with many publishers keeps at most one place while others wait', async () => {
  const { add, begun, end } = byHand(3);
  for (const publisher of ['a', 'b', 'c', 'd', 'e']) add(publisher, `${publisher}1`, 'many');
  for (const n of [1, 2]) add('z', `z${n}`, 'one');
  add('y', 'y1', 'another');
  await end('a1');
  await end('b1');
  assert.deepEqual(begun, ['a1', 'b1', 'c1', 'z1', 'y1']);
  await end('z1');
  assert.equal(begun.at(-1), 'z2');
});

test('what waits is worked on once, and what is under way once more when it ends', async () => {
  const { add, begun, end } = byHand(2);
  add('a', 'a1');
  add('a', 'a1');
  add('a', 'a1');
  assert.deepEqual(begun, ['a1']);
  await end('a1');
  assert.deepEqual(begun, ['a1', 'a1']);
  await end('a1');
  assert.deepEqual(begun, ['a1', 'a1']);
});

test('a failure is reported and stops nothing', async () => {
  const { add, begun, errors, fail } = byHand(1);
  add('a', 'a1');
  add('a', 'a2');
  const error = new Error('broken');
  await fail('a1', error);
  assert.deepEqual(begun, ['a1', 'a2']);
  assert.deepEqual(errors, [error]);
});

test('closing waits for what is under way and begins nothing more', async () => {
  const { queue, add, begun, end } = byHand(1);
  add('a', 'a1');
  add('b', 'b1');
  const closed = queue.close();
  add('c', 'c1');
  const first = await Promise.race([
    closed.then(() => 'closed'),
    new Promise((resolve) => setImmediate(() => resolve('still working'))),
  ]);
  assert.equal(first, 'still working');
  await end('a1');
  await closed;
  assert.deepEqual(begun, ['a1']);
});
