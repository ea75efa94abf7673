import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { classifyTry, RETRY_DELAYS_MS } from './retry-policy.ts';

const NOW = Date.parse('2026-01-01T00:00:00Z');
const SECOND = 1000;
const HOUR = 3_600_000;
const middle = { failures: 0, now: NOW, random: 0.5 };

const answered = (status: number, retryAfter?: string) => ({ kind: 'answered', status, retryAfter }) as const;
const waitOf = (outcome: Parameters<typeof classifyTry>[0], situation = middle) => {
  const decision = classifyTry(outcome, situation);
  return decision.status === 'pending' ? decision.dueAt - NOW : decision.status;
};

describe('a try', () => {
  it('succeeds with 2xx and nothing else', () => {
    for (const status of [200, 201, 202, 204, 299]) {
      assert.equal(classifyTry(answered(status), middle).status, 'delivered');
    }
    for (const status of [100, 199, 300, 301, 304, 307, 400, 401, 404, 429, 500, 503]) {
      assert.equal(classifyTry(answered(status), middle).status, 'pending', String(status));
    }
  });

  it('ends the delivery if the receiver is gone permanently', () => {
    assert.equal(classifyTry(answered(410), middle).status, 'failed');
  });

  it('[WHK-4] is made again after 5 s, 30 s, 5 min, 30 min, 2 h, 5 h, 10 h and 10 h, then given up', () => {
    const seconds = [5, 30, 300, 1800, 7200, 18_000, 36_000, 36_000];
    assert.deepEqual(
      RETRY_DELAYS_MS.map((delay) => delay / SECOND),
      seconds,
    );
    const waits = [...seconds, 0].map((_, failures) => waitOf(answered(500), { ...middle, failures }));
    assert.deepEqual(waits, [...seconds.map((each) => each * SECOND), 'failed']);
  });

  it('is delayed with a jitter of a tenth', () => {
    const failed = { kind: 'failed', error: 'no' } as const;
    assert.equal(waitOf(failed, { ...middle, random: 0 }), 4500);
    assert.equal(waitOf(failed, { ...middle, random: 1 }), 5500);
  });

  const headers: readonly [header: string, wait: number][] = [
    ['120', 120 * SECOND],
    [' 120 ', 120 * SECOND],
    ['1', 5 * SECOND],
    ['0', 5 * SECOND],
    ['99999999', 24 * HOUR],
    ['Thu, 01 Jan 2026 02:00:00 GMT', 2 * HOUR],
    ['Thursday, 01-Jan-26 02:00:00 GMT', 2 * HOUR],
    ['Fri, 01 Jan 2027 00:00:00 GMT', 24 * HOUR],
    ['Wed, 31 Dec 2025 00:00:00 GMT', 5 * SECOND],
    ['soon', 5 * SECOND],
    ['-5', 5 * SECOND],
    ['5.5', 5 * SECOND],
    ['1e9', 5 * SECOND],
    ['', 5 * SECOND],
  ];
  for (const [header, wait] of headers) {
    it(`with Retry-After "${header}" is made again after ${wait / SECOND} s`, () => {
      assert.equal(waitOf(answered(503, header)), wait);
    });
  }

  it('does not count if we called it off', () => {
    const decision = classifyTry({ kind: 'called_off' }, { ...middle, failures: 8 });
    assert.deepEqual(decision, { status: 'pending', dueAt: NOW, counts: false });
  });
});
