import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import type { Bus } from '../bus.ts';

const hello = 'hello';
const frame = 'frame';

export interface OpenBus extends AsyncDisposable {
  readonly bus: Bus<string>;
  /** What `onError` was called with. */
  readonly errors: readonly unknown[];
}

/** What holds for every bus, between the listeners of one server. */
export function busContract(name: string, open: () => Promise<OpenBus>): void {
  describe(`${name}, on one server`, () => {
    it('calls every listener of a user with each event in order, and no other listener', async () => {
      await using opened = await open();
      const { bus } = opened;
      const received: Record<string, string[]> = { first: [], second: [], stranger: [] };
      bus.subscribe('ada', (event) => received['first']?.push(event));
      bus.subscribe('ada', (event) => received['second']?.push(event));
      bus.subscribe('bob', (event) => received['stranger']?.push(event));
      bus.publish('ada', hello);
      bus.publish('ada', frame);
      assert.deepEqual(received, { first: [hello, frame], second: [hello, frame], stranger: [] });
    });

    it('treats two subscriptions of one listener separately', async () => {
      await using opened = await open();
      const { bus } = opened;
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

    it('reports a listener that throws and still calls the others', async () => {
      await using opened = await open();
      const { bus, errors } = opened;
      let calls = 0;
      bus.subscribe('ada', () => {
        throw new Error('broken listener');
      });
      bus.subscribe('ada', () => {
        calls += 1;
      });
      bus.publish('ada', hello);
      assert.equal(calls, 1);
      assert.equal(errors.length, 1);
    });

    it('never calls a listener after it has unsubscribed, even during an event', async () => {
      await using opened = await open();
      const { bus } = opened;
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
}
