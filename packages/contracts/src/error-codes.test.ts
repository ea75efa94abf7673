import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';

import { ERROR_CODES } from './error-codes.ts';

const page = await readFile(join(import.meta.dirname, '../../../docs/errors.md'), 'utf8');

describe('docs/errors.md', () => {
  it('has exactly one section for every code, and none for a code that does not exist', () => {
    const sections = [...page.matchAll(/^## `([^`]+)`/gm)].map((match) => match[1]);
    assert.deepEqual(sections.toSorted(), Object.keys(ERROR_CODES).toSorted());
  });

  it('has the status of each from the catalogue', () => {
    const told = [...page.matchAll(/^## `([^`]+)` · (\d+)/gm)].map((match) => [match[1], Number(match[2])]);
    const right = Object.entries(ERROR_CODES).map(([code, { status }]) => [code, status]);
    assert.deepEqual(Object.fromEntries(told), Object.fromEntries(right));
  });
});
