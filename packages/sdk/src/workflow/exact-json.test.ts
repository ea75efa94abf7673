import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { parseExactJson, toExactJson } from './exact-json.ts';

describe('JSON with whole numbers of any size', () => {
  it('comes back as it was', () => {
    const text =
      '{"seed":18446744073709551615,"low":-9223372036854775808,"list":[12345678901234567890,7],"f":1.2345678901234567e30}';
    const value = parseExactJson(text) as Record<string, unknown>;
    assert.equal(value['seed'], 18446744073709551615n);
    assert.equal(value['low'], -9223372036854775808n);
    assert.equal(typeof value['f'], 'number');
    assert.equal(toExactJson(value), text.replace('1.2345678901234567e30', '1.2345678901234567e+30'));
  });

  it('leaves texts alone, whatever they look like', () => {
    const value = {
      digits: '12345678901234567890',
      quoted: 'a "12345678901234567890" b\\',
      '12345678901234567890': 1,
      escaped: '\\u0000integer:5',
    };
    assert.deepEqual(parseExactJson(JSON.stringify(value)), value);
    assert.deepEqual(JSON.parse(toExactJson(value)), value);
  });

  it('keeps numbers that fit', () => {
    assert.deepEqual(
      parseExactJson('[9007199254740991, 1000000000000000]'),
      [9007199254740991, 1000000000000000],
    );
    assert.deepEqual(parseExactJson('[9007199254740993]'), [9007199254740993n]);
  });
});
