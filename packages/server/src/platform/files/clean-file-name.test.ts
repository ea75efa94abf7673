import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import * as fc from 'fast-check';

import { cleanFileName, MAX_FILE_NAME_UNITS } from './clean-file-name.ts';

describe('clean file name', () => {
  it('keeps an ordinary name as it is, in any script', () => {
    for (const name of ['cat.png', 'a "b" \'c\'.txt', '猫 (1).jpg', '👩‍🚀.webp', '.hidden', '100%25.gif']) {
      assert.equal(cleanFileName(name), name);
    }
  });

  it('cannot leave a folder or a header line, or change the direction of writing', () => {
    assert.equal(cleanFileName('../../etc/passwd'), '.._.._etc_passwd');
    assert.equal(cleanFileName('a\\b'), 'a_b');
    assert.equal(cleanFileName('a\r\nSet-Cookie: b\0'), 'a__Set-Cookie: b_');
    assert.equal(cleanFileName('cat\u202Egpj.exe'), 'cat_gpj.exe');
    assert.equal(cleanFileName('half \uD83D'), 'half \uFFFD');
    for (const name of ['', ' ', '.', '..', '...']) assert.equal(cleanFileName(name), 'file');
  });

  it('cuts a long name and keeps its extension', () => {
    assert.equal(cleanFileName(`${'a'.repeat(300)}.png`), `${'a'.repeat(251)}.png`);
    assert.equal(cleanFileName('b'.repeat(300)), 'b'.repeat(255));
    assert.equal(cleanFileName(`a.${'c'.repeat(300)}`), `a.${'c'.repeat(253)}`);
    assert.equal(cleanFileName('🎉'.repeat(255)), '🎉'.repeat(255));
    assert.equal(cleanFileName('🎉'.repeat(255)).length, MAX_FILE_NAME_UNITS);
  });

  it('turns any text into a stable name that is one path segment', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 600 }), (text) => {
        const name = cleanFileName(text);
        assert.equal(cleanFileName(name), name);
        assert.ok(name.length > 0 && name.length <= MAX_FILE_NAME_UNITS);
        const url = new URL(`http://host/files/${encodeURIComponent(name)}`);
        assert.equal(decodeURIComponent(url.pathname), `/files/${name}`);
      }),
    );
  });
});
