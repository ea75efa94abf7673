import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_TEXT_LENGTH, type NodeType } from '@atelier/engine';
import { runNode } from '../test/run-node.ts';
import { convertArrayToString, jsonExtractString } from './json-nodes.ts';
import { regexExtract, regexReplace } from './regex-nodes.ts';
import { saveText } from './save-text.ts';
import { stringFormat } from './string-format.ts';
import * as strings from './string-nodes.ts';
import * as lists from './text-lists.ts';

const HALF = 'a'.repeat(MAX_TEXT_LENGTH / 2);
const LARGE = 'a'.repeat(100_000);
const SMALL = 'b'.repeat(1000);
const FLAGS = { case_insensitive: false, multiline: false, dotall: false };

const BOMBS: readonly (readonly [what: string, type: NodeType, inputs: Readonly<Record<string, unknown>>])[] =
  [
    ['joined', strings.stringConcatenate, { string_a: HALF, string_b: HALF, delimiter: ', ' }],
    ['prefixed', lists.addTextPrefix, { texts: HALF, prefix: `${HALF}b` }],
    ['suffixed', lists.addTextSuffix, { texts: HALF, suffix: `${HALF}b` }],
    ['replaced', strings.stringReplace, { string: LARGE, find: 'a', replace: SMALL }],
    ['replaced between letters', lists.replaceTextNode, { texts: LARGE, find: '', replace: SMALL }],
    ['in capitals', strings.caseConverter, { string: 'ΐ'.repeat(MAX_TEXT_LENGTH / 2), mode: 'UPPERCASE' }],
    ['formatted', stringFormat, { f_string: '{a}'.repeat(200), values: { a: LARGE } }],
    ['padded', stringFormat, { f_string: '{a:9999999}'.repeat(2), values: { a: '' } }],
    ['escaped', stringFormat, { f_string: '{a!r}', values: { a: '\0'.repeat(MAX_TEXT_LENGTH / 4) } }],
    ['replaced by a pattern', regexReplace, { string: LARGE, regex_pattern: 'a', replace: SMALL }],
    [
      'extracted by a pattern',
      regexExtract,
      {
        string: LARGE,
        regex_pattern: '(?=(a+))',
        mode: 'All Matches',
        group_index: 1,
        ...FLAGS,
      },
    ],
    ['read as JSON', jsonExtractString, { json_string: `[${'1,'.repeat(2 ** 20)}1]`, key: 'a' }],
    ['written as JSON', convertArrayToString, { array: Array.from({ length: 200 }, () => LARGE), indent: 0 }],
    [
      'indented as JSON',
      saveText,
      {
        text: `${'['.repeat(900)}${'1,'.repeat(10_000)}1${']'.repeat(900)}`,
        format: 'json',
        filename_prefix: 'a',
      },
    ],
  ];

for (const [what, type, inputs] of BOMBS) {
  test(`a text that is ${what} may not be longer than the bound`, async () => {
    await assert.rejects(runNode(type, inputs), { name: 'OOMError', message: /more than|longer than/ });
  });
}

test('a text of many pieces within the bound is made', async () => {
  const { outputs } = await runNode(strings.stringReplace, { string: LARGE, find: 'a', replace: 'bc' });
  assert.equal(outputs[0], 'bc'.repeat(LARGE.length));
});
