import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NodeType } from '@atelier/engine';
import { runNode } from '../test/run-node.ts';
import { stringFormat } from './string-format.ts';
import * as strings from './string-nodes.ts';
import * as lists from './text-lists.ts';

async function first(type: NodeType, inputs: Readonly<Record<string, unknown>>): Promise<unknown> {
  return (await runNode(type, inputs)).outputs[0];
}

test('StringConcatenate joins with the delimiter, also nothing with nothing', async () => {
  assert.equal(
    await first(strings.stringConcatenate, { string_a: 'a', string_b: 'b', delimiter: ', ' }),
    'a, b',
  );
  assert.equal(await first(strings.stringConcatenate, { string_a: '', string_b: '', delimiter: '' }), '');
});

test('StringSubstring and StringLength count code points', async () => {
  const string = 'a😀bc';
  assert.equal(await first(strings.stringSubstring, { string, start: 1, end: 3 }), '😀b');
  assert.equal(await first(strings.stringSubstring, { string, start: -2, end: 100 }), 'bc');
  assert.equal(await first(strings.stringSubstring, { string, start: 3, end: 1 }), '');
  assert.equal(await first(strings.stringLength, { string }), 4);
});

test('CaseConverter has four modes', async () => {
  const convert = (mode: string): Promise<unknown> =>
    first(strings.caseConverter, { string: "it's straße", mode });
  assert.equal(await convert('UPPERCASE'), "IT'S STRASSE");
  assert.equal(await convert('lowercase'), "it's straße");
  assert.equal(await convert('Capitalize'), "It's straße");
  assert.equal(await convert('Title Case'), "It'S Straße");
});

test('StringTrim trims the side it is told to', async () => {
  const trim = (mode: string): Promise<unknown> =>
    first(strings.stringTrim, { string: '\u3000 a b\n', mode });
  assert.equal(await trim('Both'), 'a b');
  assert.equal(await trim('Left'), 'a b\n');
  assert.equal(await trim('Right'), '\u3000 a b');
});

test('StringReplace replaces every find, and knows no patterns', async () => {
  const replace = (string: string, find: string, by: string): Promise<unknown> =>
    first(strings.stringReplace, { string, find, replace: by });
  assert.equal(await replace('a.b.c', '.', '$&'), 'a$&b$&c');
  assert.equal(await replace('😀', '', '-'), '-😀-');
});

test('StringContains and StringCompare ignore case only when told to', async () => {
  const contains = (substring: string, case_sensitive: boolean): Promise<unknown> =>
    first(strings.stringContains, { string: 'Hello', substring, case_sensitive });
  assert.equal(await contains('hell', true), false);
  assert.equal(await contains('hell', false), true);
  assert.equal(await contains('', true), true);
  const compare = (string_b: string, mode: string, case_sensitive: boolean): Promise<unknown> =>
    first(strings.stringCompare, { string_a: 'Hello', string_b, mode, case_sensitive });
  assert.equal(await compare('He', 'Starts With', true), true);
  assert.equal(await compare('he', 'Starts With', true), false);
  assert.equal(await compare('LO', 'Ends With', false), true);
  assert.equal(await compare('hello', 'Equal', false), true);
  assert.equal(await compare('hello', 'Equal', true), false);
});

test('StringFormat fills in its values', async () => {
  const format = (f_string: string, values: object): Promise<unknown> =>
    first(stringFormat, { f_string, values });
  assert.equal(await format('{a}: {b:.1f} {c!r}', { a: true, b: 2.71, c: 'x' }), "True: 2.7 'x'");
  assert.equal(await format('none', {}), 'none');
  await assert.rejects(format('{z}', { a: 1 }), { name: 'KeyError' });
});

test('nodes of text lists change one text at a time', async () => {
  assert.equal(await first(lists.textToLowercase, { texts: 'ÀB' }), 'àb');
  assert.equal(await first(lists.textToUppercase, { texts: 'àb' }), 'ÀB');
  assert.equal(await first(lists.truncateText, { texts: '😀😀😀', max_length: 2 }), '😀😀');
  assert.equal(await first(lists.addTextPrefix, { texts: 'b', prefix: 'a' }), 'ab');
  assert.equal(await first(lists.addTextSuffix, { texts: 'a', suffix: 'b' }), 'ab');
  assert.equal(await first(lists.replaceTextNode, { texts: 'aba', find: 'a', replace: 'x' }), 'xbx');
  assert.equal(await first(lists.stripWhitespace, { texts: ' a ' }), 'a');
  assert.deepEqual(await first(lists.mergeTextLists, { texts: ['a', 'b'] }), ['a', 'b']);
});
