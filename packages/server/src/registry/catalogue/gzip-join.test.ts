import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';

import { type Deflated, deflatePieces, joinGzip } from './gzip-join.ts';

const TEXTS = ['{"a":1}', `{"b":"${'long '.repeat(2000)}"}`, '{"c":"äöü 漢字 🎨"}', '{}', '{"d":[1,2,3]}'];
const BEFORE = '{"nodes":[';
const AFTER = '],"page":1}';

function deflated(texts: readonly string[]): Deflated {
  const pieces = texts.map((text) => Buffer.from(`${text},`));
  const starts = new Uint32Array(pieces.length + 1);
  for (const [index, piece] of pieces.entries()) starts[index + 1] = (starts[index] ?? 0) + piece.byteLength;
  return deflatePieces(Buffer.concat(pieces), starts);
}

describe('pieces of a gzip stream', () => {
  it('make a whole one from any of them to any other', () => {
    const pieces = deflated(TEXTS);
    for (let from = 0; from < TEXTS.length; from += 1) {
      for (let to = from + 1; to <= TEXTS.length; to += 1) {
        const last = Buffer.from(TEXTS[to - 1] ?? '');
        const joined = joinGzip(BEFORE, [{ pieces, from, to }], last, AFTER);
        const wanted = `${BEFORE}${TEXTS.slice(from, to).join(',')}${AFTER}`;
        assert.equal(gunzipSync(joined).toString(), wanted);
      }
    }
  });

  it('make a whole one across blocks', () => {
    const [first, second] = [deflated(TEXTS), deflated(TEXTS.toReversed())];
    const cuts = [
      { pieces: first, from: 3, to: 5 },
      { pieces: second, from: 0, to: 5 },
      { pieces: first, from: 0, to: 2 },
    ];
    const texts = [...TEXTS.slice(3), ...TEXTS.toReversed(), ...TEXTS.slice(0, 2)];
    const joined = joinGzip(BEFORE, cuts, Buffer.from(TEXTS[1] ?? ''), AFTER);
    assert.equal(gunzipSync(joined).toString(), `${BEFORE}${texts.join(',')}${AFTER}`);
  });

  it('are one stream and not several, which browsers would not read to the end', () => {
    const joined = joinGzip(
      BEFORE,
      [{ pieces: deflated(TEXTS), from: 0, to: 5 }],
      Buffer.from('{"d":[1,2,3]}'),
      AFTER,
    );
    const marks = joined.toString('latin1').split('\x1f\x8b\x08').length - 1;
    assert.equal(marks, 1);
    assert.equal(joined.readUInt32LE(joined.byteLength - 4), gunzipSync(joined).byteLength);
  });
});
