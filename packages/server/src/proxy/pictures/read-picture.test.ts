import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { readPicture } from './read-picture.ts';

const bytes = Uint8Array.from([1, 2, 250]);
const base64 = bytes.toBase64();

describe('a picture in a request', () => {
  it('may be bare base64, also in lines', () => {
    for (const text of [base64, ` ${base64}\n`, `${base64.slice(0, 2)}\r\n${base64.slice(2)}`]) {
      assert.deepEqual(readPicture(text), { kind: 'bytes', bytes, announced: undefined });
    }
  });

  it('may be a data URL, and its media type is read', () => {
    for (const head of ['data:image/png;base64,', 'DATA:Image/PNG;charset=utf-8;BASE64,']) {
      assert.deepEqual(readPicture(head + base64), { kind: 'bytes', bytes, announced: 'image/png' });
    }
    assert.deepEqual(readPicture(`data:;base64,${base64}`), { kind: 'bytes', bytes, announced: '' });
  });

  it('may be a URL of any scheme, which is checked elsewhere', () => {
    for (const url of ['https://a.test/x.png', 'HTTP://a.test', 'file:///etc/passwd', 'ftp://a']) {
      assert.deepEqual(readPicture(` ${url} `), { kind: 'url', url });
    }
  });

  it('is nothing else', () => {
    const wrong = [
      '',
      '  ',
      'data:image/png,abc',
      'data:image/png;base64',
      '%%%',
      'abc$',
      'a',
      'ümläut',
      'data:',
    ];
    for (const text of [...wrong, `https://a.test/${'x'.repeat(9000)}`]) {
      assert.equal(typeof readPicture(text), 'string', text.slice(0, 40));
    }
  });
});
