import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import * as fc from 'fast-check';

import { checkConditions, selectRange } from './conditions.ts';

const etag = '"abc"';

describe('conditional requests', () => {
  it('compares If-None-Match weakly, in lists and with a star', () => {
    for (const value of ['"abc"', 'W/"abc"', '"x", "abc"', 'W/"x",W/"abc"', '*']) {
      assert.equal(checkConditions({ 'if-none-match': value }, etag), 'not_modified', value);
    }
    for (const value of ['"x"', 'abc', '"abcd"', '']) {
      assert.equal(checkConditions({ 'if-none-match': value }, etag), 'proceed', value);
    }
  });

  it('compares If-Match strongly and before If-None-Match', () => {
    for (const value of ['"abc"', '"x", "abc"', '*']) {
      assert.equal(checkConditions({ 'if-match': value }, etag), 'proceed', value);
    }
    for (const value of ['"x"', 'W/"abc"', '']) {
      assert.equal(checkConditions({ 'if-match': value, 'if-none-match': '*' }, etag), 'failed', value);
    }
    assert.equal(checkConditions({ 'if-match': '*', 'if-none-match': '"abc"' }, etag), 'not_modified');
  });
});

describe('ranges', () => {
  const select = (range: string, size = 100) => selectRange({ range }, { etag, size });

  it('reads one range: closed, open ended or from the end', () => {
    assert.deepEqual(select('bytes=0-0'), { start: 0, end: 0 });
    assert.deepEqual(select('bytes=10-19'), { start: 10, end: 19 });
    assert.deepEqual(select('bytes=10-'), { start: 10, end: 99 });
    assert.deepEqual(select('bytes=10-99999999999999999999'), { start: 10, end: 99 });
    assert.deepEqual(select('bytes=-10'), { start: 90, end: 99 });
    assert.deepEqual(select('bytes=-101'), { start: 0, end: 99 });
    assert.deepEqual(select('Bytes=0-9'), { start: 0, end: 9 });
  });

  it('refuses a range outside of the file', () => {
    for (const range of ['bytes=100-', 'bytes=100-200', 'bytes=-0', 'bytes=99999999999999999999-']) {
      assert.equal(select(range), 'unsatisfiable', range);
    }
    for (const range of ['bytes=0-', 'bytes=0-0', 'bytes=-1']) {
      assert.equal(select(range, 0), 'unsatisfiable', range);
    }
  });

  it('ignores what is malformed, in another unit or several ranges', () => {
    for (const range of [
      '',
      'bytes',
      'bytes=',
      'bytes=-',
      'bytes=a-b',
      'bytes=5-2',
      'bytes=1-2-3',
      'items=0-1',
      'bytes=0x1-2',
      'bytes=0-1,5-6',
      'bytes=-1.5',
    ]) {
      assert.equal(select(range), 'whole', range);
    }
    assert.equal(selectRange({}, { etag, size: 100 }), 'whole');
  });

  it('compares If-Range strongly', () => {
    const withTag = (ifRange: string) =>
      selectRange({ range: 'bytes=0-9', 'if-range': ifRange }, { etag, size: 100 });
    assert.deepEqual(withTag('"abc"'), { start: 0, end: 9 });
    for (const value of ['"x"', 'W/"abc"', 'Wed, 21 Oct 2015 07:28:00 GMT']) {
      assert.equal(withTag(value), 'whole', value);
    }
  });

  it('never selects a byte that the file does not have', () => {
    const part = fc.option(fc.nat({ max: 300 }), { nil: '' });
    fc.assert(
      fc.property(part, part, fc.nat({ max: 200 }), (first, last, size) => {
        const range = select(`bytes=${first}-${last}`, size);
        if (typeof range === 'string') return;
        assert.ok(range.start >= 0 && range.start <= range.end && range.end < size);
      }),
    );
  });
});
