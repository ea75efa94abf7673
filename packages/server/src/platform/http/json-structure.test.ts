import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { isTooIntricate, MAX_STRUCTURE } from './json-structure.ts';

const isRefused = (text: string) => isTooIntricate(Buffer.from(text));
const long = 'a'.repeat(2 * MAX_STRUCTURE);

describe('a body with too much outside of texts', () => {
  for (const [what, text] of [
    ['brackets side by side', `[${'[],'.repeat(MAX_STRUCTURE / 2)}1]`],
    ['brackets within brackets', '['.repeat(MAX_STRUCTURE) + ']'.repeat(MAX_STRUCTURE)],
    ['short names', `{${'"a":1,'.repeat(MAX_STRUCTURE / 4)}"b":1}`],
    ['short texts', `[${'"",'.repeat(MAX_STRUCTURE / 2)}""]`],
    ['blanks', `${' '.repeat(MAX_STRUCTURE)}{}`],
    ['brackets behind a long text', `["${long}"${',[]'.repeat(MAX_STRUCTURE / 2)}]`],
    ['brackets behind texts with escapes', `["\\"","\\\\",${'[],'.repeat(MAX_STRUCTURE / 2)}1]`],
    ['a text of nothing but quotation marks', `["${'\\"'.repeat(5 * MAX_STRUCTURE)}"]`],
  ] as const) {
    it(`is found: ${what}`, () => {
      assert.equal(isRefused(text), true);
    });
  }

  for (const [what, text] of [
    ['one text', `{"image":"${long}"}`],
    ['brackets within a text', `{"image":"${'[{,'.repeat(MAX_STRUCTURE)}"}`],
    ['brackets within a text with escapes', `["\\"${'[\\"\\\\[,'.repeat(MAX_STRUCTURE / 2)}\\\\"]`],
    ['a million quotation marks, as a payload may have', `["${'\\"'.repeat(MAX_STRUCTURE)}"]`],
    ['small bodies of anything', '['.repeat(MAX_STRUCTURE)],
    ['texts without an end', `["${long}`],
  ] as const) {
    it(`is not taken for one: ${what}`, () => {
      assert.equal(isRefused(text), false);
    });
  }
});
