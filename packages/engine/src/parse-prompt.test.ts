import assert from 'node:assert/strict';
import { test } from 'node:test';
import { orderedIds, parseJson, parsePrompt, parsePromptBody, toJson } from './index.ts';

test('integers beyond 2^53 are bigints, all else is what JSON.parse gives', () => {
  assert.deepEqual(parseJson('[9007199254740991, 9007199254740992, -18446744073709551615, 1.0, 1e20, -0]'), [
    9007199254740991,
    9007199254740992n,
    -18446744073709551615n,
    1,
    1e20,
    0,
  ]);
  for (const text of [
    '{"a": [1, -2.5, 1e-7, true, false, null], "b": {"": "x\\u00e9\\ud83c\\udf88\\n\\/"}}',
    '"text"',
    ' [ ] ',
    '{"a": 1, "a": 2}',
    '{"2": 1, "1": 2}',
  ]) {
    assert.deepEqual(parseJson(text), JSON.parse(text));
  }
});

test('a member called __proto__ is a member', () => {
  const parsed = parseJson('{"__proto__": {"polluted": 1}}');
  assert.deepEqual(Object.keys(parsed as object), ['__proto__']);
  assert.equal(Object.getPrototypeOf(parsed), Object.prototype);
});

test('what is not JSON is a SyntaxError, also what only Python would take', () => {
  for (const text of [
    '',
    '{',
    '{"a": NaN}',
    '[-Infinity]',
    '[1,]',
    '01',
    '"\n"',
    '[1] x',
    '['.repeat(100_000),
    '9'.repeat(5000),
  ]) {
    assert.throws(() => parseJson(text), SyntaxError, text.slice(0, 20));
  }
});

test('the order of the nodes is that of the text', () => {
  const text = '{"9": {"inputs": {"b": 1, "a": 2}}, "3": {}, "x": {}, "10": {}}';
  const { prompt, order } = parsePrompt(text);
  assert.deepEqual(order, ['9', '3', 'x', '10']);
  assert.deepEqual(prompt, JSON.parse(text));
  const body = parsePromptBody(`{"client_id": "c", "prompt": ${text}, "1": 0}`);
  assert.deepEqual(body.order, order);
  assert.deepEqual(body.prompt, prompt);
  assert.deepEqual(body.body, { 1: 0, client_id: 'c', prompt });
});

test('a body without a graph has none, and no order', () => {
  for (const text of ['{}', '[]', 'null', '"prompt"', '{"prompt": null}', '{"prompt": [1]}']) {
    const { prompt, order } = parsePromptBody(text);
    assert.deepEqual(order, [], text);
    assert.deepEqual(prompt, (JSON.parse(text) as { prompt?: unknown } | null)?.prompt, text);
  }
  assert.equal(parsePromptBody('{}').prompt, undefined);
});

test('an order that does not fit the graph still gives every node once', () => {
  assert.deepEqual(orderedIds({ 1: {}, 2: {}, a: {} }, ['a', 'gone', '2', 'a']), ['a', '2', '1']);
  assert.deepEqual(orderedIds({ 2: {}, 1: {} }), ['1', '2']);
});

test('bigints are written as they were read', () => {
  const text = '{"seed":18446744073709551615,"a":[1,-9007199254740993,0.5],"small":7}';
  assert.equal(toJson(parseJson(text)), text);
  assert.equal(toJson({ small: 7n }), '{"small":7}');
});
