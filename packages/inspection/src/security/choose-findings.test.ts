import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import type { Finding } from '../inspection.ts';
import { chooseFindings } from './choose-findings.ts';

function made(count: number, of: Partial<Finding> = {}): Finding[] {
  return Array.from({ length: count }, (_, index) => ({
    rule: 'dynamic-execution',
    severity: 'high',
    file: 'a.py',
    line: index + 1,
    excerpt: '',
    explanation: '',
    ...of,
  }));
}

const kinds = (findings: readonly Finding[]) => new Set(findings.map(({ rule, file }) => `${rule} ${file}`));

describe('the findings that a report lists', () => {
  it('are all of them when there are few, the most serious first', () => {
    const few = [...made(2, { severity: 'medium', file: 'b.py' }), ...made(2)];
    assert.deepEqual(
      chooseFindings(few, 100).map(({ file, line }) => `${file}:${line}`),
      ['a.py:1', 'a.py:2', 'b.py:1', 'b.py:2'],
    );
  });

  it('have one of every rule, however many there are of another', () => {
    const flood = [
      ...made(5000),
      ...made(1, { rule: 'unread-source', severity: 'medium', file: 'z.py' }),
      ...Array.from({ length: 500 }, (_, index) => made(3, { file: `f${index}.py` })).flat(),
    ];
    const chosen = chooseFindings(flood, 100);
    assert.equal(chosen.length, 100);
    assert.ok(kinds(chosen).has('unread-source z.py'));
    assert.equal(chosen.at(-1)?.rule, 'unread-source', 'the less serious come last');
  });

  it('are of many files rather than of one', () => {
    const flood = [...made(500), ...made(3, { file: 'b.py' }), ...made(3, { file: 'c.py' })];
    const chosen = chooseFindings(flood, 12);
    assert.deepEqual(
      ['a.py', 'b.py', 'c.py'].map((file) => chosen.filter((one) => one.file === file).length),
      [6, 3, 3],
    );
  });

  it('fill the list with what is left', () => {
    assert.equal(chooseFindings(made(150), 100).length, 100);
  });
});
