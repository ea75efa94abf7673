import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { readRetryAfter } from './retry-after.ts';

const now = Date.parse('2026-03-01T12:00:00Z');
const read = (header: string | undefined) => readRetryAfter(header, { now, maxMs: 60_000 });

describe('Retry-After', () => {
  it('is read as seconds', () => {
    assert.equal(read('7'), 7_000);
    assert.equal(read(' 0 '), 0);
  });

  it('is read as a date in each of the three forms of HTTP', () => {
    assert.equal(read('Sun, 01 Mar 2026 12:00:30 GMT'), 30_000);
    assert.equal(read('Sunday, 01-Mar-26 12:00:30 GMT'), 30_000);
    assert.equal(read('Sun Mar  1 12:00:30 2026 GMT'), 30_000);
  });

  it('is limited by the caller, and never negative', () => {
    assert.equal(read('9999999999'), 60_000);
    assert.equal(read('Mon, 02 Mar 2026 12:00:00 GMT'), 60_000);
    assert.equal(read('Sat, 28 Feb 2026 12:00:00 GMT'), 0);
  });

  it('is ignored in any other form', () => {
    for (const header of [
      undefined,
      '',
      '-5',
      '5.5',
      '1e3',
      'soon',
      '99999999999',
      'Sun, 41 Mar 2026 12:00:00',
    ]) {
      assert.equal(read(header), undefined, String(header));
    }
  });
});
