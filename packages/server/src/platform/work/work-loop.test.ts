import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { createWorkLoop, type WorkParts, type WorkTimes } from './work-loop.ts';

/** Items that wait for their turn, and a gate for each one under way. */
function someWork(parts: Partial<WorkParts<string>> = {}, times: WorkTimes = {}) {
  const due: string[] = [];
  const gates = new Map<string, PromiseWithResolvers<void>>();
  const aborted: string[] = [];
  const errors: unknown[] = [];
  const begun = Promise.withResolvers<void>();
  const loop = createWorkLoop<string>(
    {
      clock: () => 0,
      onError: (error) => void errors.push(error),
      async claim(begin) {
        await Promise.resolve();
        for (const item of due.splice(0)) begin(item);
      },
      async run(item, signal) {
        const gate = Promise.withResolvers<void>();
        gates.set(item, gate);
        signal.addEventListener('abort', () => {
          aborted.push(item);
          gate.resolve();
        });
        begun.resolve();
        await gate.promise;
      },
      ...parts,
    },
    times,
  );
  return { loop, due, gates, aborted, errors, begun: begun.promise };
}

describe('a work loop', () => {
  it('runs what is due when woken, and what has become due when an item ends', async () => {
    const { loop, due, gates, begun } = someWork();
    due.push('first');
    loop.wake();
    await begun;
    assert.deepEqual(loop.running(), ['first']);
    due.push('second');
    const drained = loop.drain();
    gates.get('first')?.resolve();
    while (!gates.has('second')) await new Promise(setImmediate);
    assert.deepEqual(loop.running(), ['second']);
    gates.get('second')?.resolve();
    await drained;
    assert.deepEqual(loop.running(), []);
  });

  it('claims once more for all calls during a claim, never concurrently', async () => {
    let claims = 0;
    let atOnce = 0;
    const gate = Promise.withResolvers<void>();
    const { loop } = someWork({
      async claim() {
        claims += 1;
        atOnce += 1;
        assert.equal(atOnce, 1);
        await gate.promise;
        atOnce -= 1;
      },
    });
    for (let count = 0; count < 5; count += 1) {
      loop.wake();
      await Promise.resolve();
    }
    gate.resolve();
    await loop.drain();
    // The last one is the drain's own.
    assert.ok(claims === 2 || claims === 3);
  });

  it('aborts items whose lease is lost, and no others', async () => {
    const { loop, due, aborted, gates } = someWork(
      { renew: async (items) => await Promise.resolve(new Set(items.filter((item) => item === 'held'))) },
      { heartbeatMs: 1 },
    );
    due.push('held', 'lost');
    loop.start();
    while (aborted.length === 0) await new Promise(setImmediate);
    assert.deepEqual(aborted, ['lost']);
    gates.get('held')?.resolve();
    await loop.close();
  });

  it('claims what was recovered from a lost server', async () => {
    const { loop, due, gates } = someWork(
      {
        async recover() {
          await Promise.resolve();
          if (gates.size > 0) return false;
          due.push('recovered');
          return true;
        },
      },
      { sweepMs: 1, pollMs: 3_600_000 },
    );
    loop.start();
    while (!gates.has('recovered')) await new Promise(setImmediate);
    gates.get('recovered')?.resolve();
    await loop.close();
  });

  it('claims again when the next item is due, before the next poll', async () => {
    const { loop, due, gates } = someWork(
      {
        async nextDueAt() {
          await Promise.resolve();
          if (gates.size === 0) due.push('later');
          return gates.size === 0 ? 20 : undefined;
        },
      },
      { pollMs: 3_600_000 },
    );
    loop.start();
    while (!gates.has('later')) await new Promise(setImmediate);
    gates.get('later')?.resolve();
    await loop.close();
  });

  it('reports an item that fails, and does not claim again at once', async () => {
    let claims = 0;
    const { loop, errors } = someWork({
      async claim(begin) {
        claims += 1;
        await Promise.resolve();
        if (claims === 1) begin('broken');
      },
      run: async () => await Promise.reject(new Error('broken')),
    });
    loop.wake();
    while (errors.length === 0) await new Promise(setImmediate);
    await new Promise(setImmediate);
    assert.equal(claims, 1);
  });

  it('aborts some items at once when closed, gives the rest time, and saves what has ended', async () => {
    const flushed: number[] = [];
    const { loop, due, aborted, gates, begun } = someWork(
      {
        endsAtClose: (item) => item === 'local',
        async flush() {
          await Promise.resolve();
          flushed.push(loop.running().length);
        },
      },
      { closeMs: 3_600_000 },
    );
    due.push('local', 'request');
    loop.wake();
    await begun;
    const closed = loop.close();
    while (aborted.length === 0) await new Promise(setImmediate);
    assert.deepEqual(aborted, ['local']);
    due.push('too late');
    gates.get('request')?.resolve();
    await closed;
    assert.equal(flushed.at(-1), 0);
    assert.equal(gates.has('too late'), false);
  });

  it('aborts what does not end in time when closed', async () => {
    const { loop, due, aborted, begun } = someWork({}, { closeMs: 1 });
    due.push('endless');
    loop.wake();
    await begun;
    await loop.close();
    assert.deepEqual(aborted, ['endless']);
  });
});
