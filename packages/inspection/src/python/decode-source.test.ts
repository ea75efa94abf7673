import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { decodeSource } from './decode-source.ts';

describe('decodeSource', () => {
  it('reads UTF-8, with or without a mark, unless told otherwise', () => {
    assert.deepEqual(decodeSource(Buffer.from('x = "é"')), { text: 'x = "é"' });
    assert.deepEqual(decodeSource(Buffer.from('\u{FEFF}x = 1')), { text: 'x = 1' });
  });

  it('reads the encodings that people write in, declared in one of the first two lines', () => {
    const latin = Buffer.from('#!/usr/bin/python\n# vim: set fileencoding=latin-1 :\nx = "é"', 'latin1');
    assert.match(decodeSource(latin).text, /x = "é"$/);
    const gbk = Buffer.concat([
      Buffer.from('# -*- coding: gbk -*-\nx = "'),
      Buffer.from('c4e3', 'hex'),
      Buffer.from('"'),
    ]);
    assert.match(decodeSource(gbk).text, /x = "你"$/);
    assert.deepEqual(Object.keys(decodeSource(Buffer.from('\u{FEFF}# coding: utf-8-sig\n'))), ['text']);
  });

  it('names an encoding in which the text is not what runs', () => {
    for (const name of [
      'unicode_escape',
      'utf-7',
      'rot13',
      'raw_unicode_escape',
      'hex',
      'zlib',
      'idna',
      'mine',
    ]) {
      assert.equal(decodeSource(Buffer.from(`# coding=${name}\n`)).oddEncoding, name);
    }
    assert.equal(decodeSource(Buffer.from('x = 1\n# coding: utf-7\n')).oddEncoding, undefined);
  });
});
