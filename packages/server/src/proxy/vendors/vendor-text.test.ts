import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { Secret } from '../../platform/secret.ts';
import { toCode, toMessage, toTaskId } from './vendor-text.ts';

const key = new Secret('fpk-3f9a1c77e2b84d05');

describe('what a vendor says', () => {
  it('becomes one line without control characters and direction marks', () => {
    assert.equal(toMessage(' not\r\na\u0000 \u202Epicture\u2028 ', key), 'not a picture');
  });

  it('is cut to 300 characters, and never in the middle of one', () => {
    const long = toMessage('a'.repeat(1_000), key);
    assert.equal(long, `${'a'.repeat(299)}…`);
    const emoji = toMessage(`${'a'.repeat(298)}${'😀'.repeat(9)}`, key);
    assert.equal(emoji, `${'a'.repeat(298)}…`);
    assert.ok(toMessage('\uD83D', key)?.isWellFormed());
  });

  it('is nothing when it is not text or empty', () => {
    for (const said of [undefined, null, 5, {}, ['a'], '', ' \n ']) {
      assert.equal(toMessage(said, key), undefined);
    }
  });

  it('is withheld if it repeats our key, a part of it, or the key in another case', () => {
    for (const said of [
      'Invalid key fpk-3f9a1c77e2b84d05',
      'Invalid key fpk-3f9a…',
      'Invalid key …e2b84d05',
      'INVALID KEY FPK-3F9A1C77E2B84D05',
    ]) {
      assert.equal(toMessage(said, key), undefined, said);
    }
    assert.equal(toCode('fpk-3f9a1c77e2b84d05', key), undefined);
  });
});

describe('a code of a vendor', () => {
  it('is one word', () => {
    assert.equal(toCode('FieldInvalid', key), 'FieldInvalid');
    for (const said of ['', 'two words', 400, '400', 'a\n', 'x'.repeat(65), '<b>']) {
      assert.equal(toCode(said, key), undefined, String(said));
    }
  });
});

describe("a vendor's name of a task", () => {
  it('is visible ASCII that fits into a path', () => {
    assert.equal(toTaskId('916198342210367488'), '916198342210367488');
    assert.equal(toTaskId('a/b?c#d'), 'a/b?c#d');
    for (const said of [undefined, 916, '', '.', '..', 'a b', 'a\n', 'ä', 'x'.repeat(201)]) {
      assert.equal(toTaskId(said), undefined, String(said));
    }
  });
});
