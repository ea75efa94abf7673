import assert from 'node:assert/strict';
import { test } from 'node:test';
import stringWidth from 'fast-string-width';

import { renderTable, truncate } from './render-table.ts';

const ROWS = [
  { name: 'first_00001_.png', size: '165 kB' },
  { name: 'a name that is much longer than the others.png', size: '1 B' },
  { name: '絵\u001b[2J\u202e文字.png', size: '20 MB' },
];
const COLUMNS = [
  { title: 'NAME', text: ({ name }: { name: string }) => name },
  { title: 'SIZE', text: ({ size }: { size: string }) => size, align: 'right' as const },
];
const table = (width: number) => renderTable(ROWS, COLUMNS, { width, bold: (text) => text });

test('an id is never truncated: other columns are, and then each row is a block', () => {
  const id = '01234567-89ab-cdef-0123-456789abcdef';
  const columns = [
    { title: 'ID', text: () => id, isWhole: true },
    { title: 'STATUS', text: () => 'in_progress_for_long' },
  ];
  for (const width of [40, 50]) {
    const text = renderTable([1], columns, { width, bold: (one) => one });
    assert.ok(text.includes(id));
    assert.ok(text.split('\n').every(({ length }) => length <= width));
  }
});

test('columns are aligned by the width of their characters', () => {
  assert.equal(
    table(Number.POSITIVE_INFINITY),
    [
      'NAME                                              SIZE',
      'first_00001_.png                                165 kB',
      'a name that is much longer than the others.png     1 B',
      '絵�[2J�文字.png                                  20 MB',
    ].join('\n'),
  );
});

for (const width of [80, 40, 20]) {
  test(`no line is wider than a terminal of ${width} columns`, () => {
    for (const line of table(width).split('\n')) assert.ok(stringWidth(line) <= width, line);
  });
}

test('a terminal too narrow for columns gets a block for each row', () => {
  assert.equal(table(12).split('\n')[0], 'NAME: first…');
  assert.equal(table(12).split('\n').length, 8);
});

test('a text is truncated between characters', () => {
  assert.equal(truncate('👩‍👩‍👧 family', 5), '👩‍👩‍👧 f…');
  assert.equal(truncate('short', 5), 'short');
});
