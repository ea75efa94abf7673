import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { type Cursor, cursorNumber, decodeCursor, encodeCursor } from './cursor.ts';

const CURSOR: Cursor = { sort: 'name', order: 'asc', value: 'a "ü"\n𝄞', id: 'x' };
const LISTING = { sort: 'name', order: 'asc' } as const;
const INVALID = { code: 'request.invalid' };

describe('a cursor', () => {
  it('comes back as it was made', () => {
    const text = encodeCursor(CURSOR);
    assert.match(text, /^[\w-]+$/);
    assert.deepEqual(decodeCursor(text, LISTING), CURSOR);
    assert.deepEqual(JSON.parse(Buffer.from(text, 'base64url').toString()), {
      s: 'name',
      v: CURSOR.value,
      id: 'x',
      o: 'asc',
    });
  });

  it('is only valid for the order it was made in', () => {
    const text = encodeCursor(CURSOR);
    assert.throws(() => decodeCursor(text, { sort: 'size', order: 'asc' }), INVALID);
    assert.throws(() => decodeCursor(text, { sort: 'name', order: 'desc' }), INVALID);
  });

  it('is refused when it is malformed', () => {
    const tell = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const good = { s: 'name', v: 'a', id: 'x', o: 'asc' };
    assert.ok(decodeCursor(tell(good), LISTING));
    for (const text of [
      '',
      ' ',
      'a b',
      tell(null),
      tell('text'),
      tell({ ...good, v: 5 }),
      tell({ ...good, v: 'x'.repeat(2049) }),
      tell({ ...good, v: 'a\0' }),
      tell({ ...good, v: '\ud800' }),
      tell({ ...good, id: '' }),
      tell({ ...good, o: 'up' }),
      Buffer.from([0xff, 0xfe]).toString('base64url'),
      tell({ ...good, padding: 'x'.repeat(8192) }),
    ]) {
      assert.throws(() => decodeCursor(text, LISTING), INVALID, text);
    }
  });

  it('has a whole number where one is needed', () => {
    assert.equal(cursorNumber({ ...CURSOR, value: '1700000000000000' }), 1_700_000_000_000_000);
    for (const value of ['', '1.5', '1e3', ' 1', '0x1', '9007199254740993']) {
      assert.throws(() => cursorNumber({ ...CURSOR, value }), INVALID, value);
    }
  });
});
