import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import type { BusEvent } from './bus.ts';
import { createInProcessBus } from './in-process-bus.ts';

const hello: BusEvent = { kind: 'json', data: { hello: 'world' } };
const frame: BusEvent = { kind: 'binary', bytes: new Uint8Array([1, 2, 3]) };

function unexpected(error: unknown): never {
  throw error;
}

describe('the in-process bus', () => {
  it('gives every listener of a user each event in order, and nobody else any', () => {
    const bus = createInProcessBus(unexpected);
    const received: Record<string, BusEvent[]> = { first: [], second: [], stranger: [] };
    bus.subscribe('ada', (event) => received['first']?.push(event));
    bus.subscribe('ada', (event) => received['second']?.push(event));
    bus.subscribe('bob', (event) => received['stranger']?.push(event));
    bus.publish('ada', hello);
    bus.publish('ada', frame);
    assert.deepEqual(received, { first: [hello, frame], second: [hello, frame], stranger: [] });
  });

  it('keeps a listener that is subscribed twice apart from itself', () => {
    const bus = createInProcessBus(unexpected);
    let calls = 0;
    const listener = () => {
      calls += 1;
    };
    const stopFirst = bus.subscribe('ada', listener);
    bus.subscribe('ada', listener);
    stopFirst();
    stopFirst();
    bus.publish('ada', hello);
    assert.equal(calls, 1);
  });

  it('reports a listener that throws and still calls the others', () => {
    const failures: unknown[] = [];
    const bus = createInProcessBus((error) => failures.push(error));
    let calls = 0;
    bus.subscribe('ada', () => {
      throw new Error('broken listener');
    });
    bus.subscribe('ada', () => {
      calls += 1;
    });
    bus.publish('ada', hello);
    assert.equal(calls, 1);
    assert.equal(failures.length, 1);
  });

  it('calls a listener no more once it has unsubscribed, even in the middle of an event', () => {
    const bus = createInProcessBus(unexpected);
    const received: string[] = [];
    const stop = bus.subscribe('ada', () => {
      received.push('once');
      stop();
    });
    bus.publish('ada', hello);
    bus.publish('ada', hello);
    assert.deepEqual(received, ['once']);
  });
});
