import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { it } from 'node:test';

import { fromLine, type Row, toLine } from './row-lines.ts';

it('a row comes back from its line exactly as it was, and is one line', () => {
  const bytes = randomBytes(300);
  const rows: Row[] = [
    [],
    [null, '', 0, -1, 1.5, 2 ** 53 - 1, 2n ** 63n - 1n, -(2n ** 63n)],
    ['{"bytes":"eA=="}', 'two\nlines\u2028\r', '“é” \u{1F98A}', '\u0000\u0001', '12'],
    [bytes, Buffer.alloc(0)],
  ];
  for (const row of rows) {
    const line = toLine(row);
    assert.doesNotMatch(line, /\n/);
    assert.deepEqual(fromLine(line), row);
  }
});

it('an invalid line is refused', () => {
  for (const line of ['', '{}', '[true]', '[{"bytes":1}]', '[[1]]', '[{"integer":"x"}]', '[1'])
    assert.throws(() => fromLine(line), line);
});
