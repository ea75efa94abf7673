import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { AtelierError, ConnectionError } from '../errors.ts';
import { retryDelay, withRetries } from './retry.ts';

describe('repetition', () => {
  it('waits longer each time, spread, up to a bound, and as long as it is asked to', () => {
    const all = [0, 1, 2, 3, 4, 9].map((count) => retryDelay(count, undefined, () => 1));
    assert.deepEqual(all, [500, 1000, 2000, 4000, 8000, 8000]);
    assert.equal(
      retryDelay(0, undefined, () => 0),
      250,
    );
    const asked = new AtelierError('cloud.queue_limit', 'wait', { retryAfterMs: 3000 });
    assert.equal(
      retryDelay(0, asked, () => 1),
      3000,
    );
  });

  it('goes on beyond its number for what is awaited', async () => {
    let tries = 0;
    const work = async (): Promise<never> => {
      tries += 1;
      throw new ConnectionError('gone');
    };
    const shouldWait = (): boolean => tries < 3;
    await assert.rejects(withRetries(work, { retries: 0, isSafe: () => true, shouldWait }), ConnectionError);
    assert.equal(tries, 3);
  });

  it('is for what passes and does no harm', async () => {
    for (const [error, isSafe, expected] of [
      [new ConnectionError('gone'), true, 3],
      [new ConnectionError('gone'), false, 1],
      [new AtelierError('request.invalid', 'bad'), true, 1],
      [new AtelierError('storage.limit', 'full', { retryAfterMs: 3_600_000 }), true, 1],
      [new TypeError('a bug'), true, 1],
    ] as const) {
      let tries = 0;
      const work = async (): Promise<never> => {
        tries += 1;
        throw error;
      };
      await assert.rejects(
        withRetries(work, { retries: 2, isSafe: () => isSafe }),
        (thrown) => thrown === error,
      );
      assert.equal(tries, expected, error.message);
    }
  });

  it('ends with the signal', async () => {
    const reason = new Error('enough');
    const controller = new AbortController();
    const work = async (): Promise<never> => {
      controller.abort(reason);
      throw new ConnectionError('gone');
    };
    const options = { retries: 5, isSafe: () => true, signal: controller.signal };
    await assert.rejects(withRetries(work, options), (thrown) => thrown === reason);
  });
});
