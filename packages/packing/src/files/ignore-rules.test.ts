import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { comfyignoreOf } from './ignore-rules.ts';

/** What comfy-cli keeps of these paths. */
const PATHS = [
  'a.py',
  'dist/a.js',
  'dist/keep.js',
  'docs/a.md',
  'src/dist/b.js',
  'src/x.log',
  'tests/a.py',
  'A.PY',
];
const RULES: readonly (readonly [text: string, kept: readonly string[]])[] = [
  ['', PATHS],
  ['# a comment\n\n   \n', PATHS],
  ['dist\n', ['a.py', 'docs/a.md', 'src/x.log', 'tests/a.py', 'A.PY']],
  ['/dist/\n', ['a.py', 'docs/a.md', 'src/dist/b.js', 'src/x.log', 'tests/a.py', 'A.PY']],
  ['*.log\r\n  tests/  \r\n', ['a.py', 'dist/a.js', 'dist/keep.js', 'docs/a.md', 'src/dist/b.js', 'A.PY']],
  ['dist/\n!dist/keep.js\n', ['a.py', 'dist/keep.js', 'docs/a.md', 'src/x.log', 'tests/a.py', 'A.PY']],
  ['!a.py\n*.py\n', ['dist/a.js', 'dist/keep.js', 'docs/a.md', 'src/dist/b.js', 'src/x.log', 'A.PY']],
  ['**/*.js\n', ['a.py', 'docs/a.md', 'src/x.log', 'tests/a.py', 'A.PY']],
  ['*\n!*.md\n', ['docs/a.md']],
];

describe('a .comfyignore', () => {
  for (const [text, kept] of RULES) {
    it(`[PACK-3] keeps what comfy-cli keeps: ${JSON.stringify(text)}`, () => {
      const isIgnored = comfyignoreOf(text);
      assert.deepEqual(
        PATHS.filter((path) => !isIgnored(path)),
        kept,
      );
    });
  }
});
