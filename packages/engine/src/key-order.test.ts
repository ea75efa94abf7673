import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';

import { readKeyOrder } from './key-order.ts';
import { parsePromptBody } from './parse-prompt.ts';

describe('the order of keys', () => {
  it('is that of the text, where objects put numbers first', () => {
    const text = '{"b":1,"prompt":{"10":{"9":0},"x":[{"y":1}],"2":"a"},"1":null}';
    assert.deepEqual(readKeyOrder(text, 'prompt'), {
      depth: 4,
      outer: ['b', 'prompt', '1'],
      inner: ['10', 'x', '2'],
      innerText: '{"10":{"9":0},"x":[{"y":1}],"2":"a"}',
      hasLongNumber: false,
      hasPlainNumbers: true,
    });
  });

  it('comes with the text of the last such member, and none of what is not an object', () => {
    const textOf = (body: string) => readKeyOrder(body, 'prompt').innerText;
    assert.equal(textOf('{"prompt":{"1":"}"},"x":{"y":{}},"prompt": {"2":[{}]} ,"z":[1]}'), '{"2":[{}]}');
    assert.equal(textOf('{"x":{"prompt":{"1":1}}}'), '');
  });

  it('tells numbers that are written otherwise than they would be, and those that may be too large', () => {
    const read = (number: string) => readKeyOrder(`{"prompt":{"1":[${number},"1.0 1e9"]}}`, 'prompt');
    for (const plain of ['0', '7', '-3', '12', '7.5', '0.25', '-10.05', '123456789012345']) {
      assert.equal(read(plain).hasPlainNumbers, true, plain);
    }
    for (const other of ['1.0', '20.0', '1e3', '1E-7', '2.50', '-1.00']) {
      assert.equal(read(other).hasPlainNumbers, false, other);
    }
    assert.equal(read('123456789012345').hasLongNumber, false);
    assert.equal(read('1234567890123456').hasLongNumber, true);
    assert.equal(read('"1234567890123456"').hasLongNumber, false);
  });

  it('is not misled by what strings contain', () => {
    const text = String.raw`{"a\"}":"{\"prompt\":{\"z\":1}}","prompt" : {"q\\":"\\","\u0031":"]"}}`;
    const { outer, inner } = readKeyOrder(text, 'prompt');
    assert.deepEqual(
      [outer, inner],
      [
        ['a"}', 'prompt'],
        ['q\\', '1'],
      ],
    );
  });

  it('takes the last of members that come twice, as the value is', () => {
    const { inner } = readKeyOrder('{"prompt":{"1":1},"x":{"5":1},"prompt":{"3":1,"2":1,"3":2}}', 'prompt');
    assert.deepEqual(inner, ['3', '2']);
  });

  it('agrees with the slow reader on any body', () => {
    const key = fc.oneof(
      fc.string(),
      fc.nat(30).map(String),
      fc.constantFrom('prompt', '__proto__', '"', '\\'),
    );
    const body = fc.dictionary(key, fc.oneof(fc.jsonValue(), fc.dictionary(key, fc.jsonValue())));
    fc.assert(
      fc.property(body, fc.boolean(), (value, spaced) => {
        const text = JSON.stringify(value, null, spaced ? 1 : 0);
        // Sixteen digits at the end make the other one read it.
        const slow = parsePromptBody(
          text.replace(/\}\s*$/, (end) => `${text.length > 2 ? ',' : ''}"_":1234567890123456${end}`),
        );
        const quick = parsePromptBody(
          text.replace(/\}\s*$/, (end) => `${text.length > 2 ? ',' : ''}"_":12${end}`),
        );
        assert.deepEqual(quick.order, slow.order);
        assert.deepEqual(quick.prompt, slow.prompt);
      }),
    );
  });
});
