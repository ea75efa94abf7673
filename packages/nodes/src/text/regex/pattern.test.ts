import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Interrupted, NodeError } from '@atelier/engine';
import { compilePattern, findMatches, type PatternOptions } from './pattern.ts';
import { PatternError } from './pattern-tree.ts';
import { substitute } from './replacement.ts';

type Spans = readonly (readonly (readonly [number, number])[])[];

interface Fixture {
  readonly finds: readonly (readonly [
    pattern: string,
    flags: string,
    text: string,
    expected: Spans | [string],
  ])[];
  readonly substitutions: readonly (readonly [
    pattern: string,
    flags: string,
    replacement: string,
    text: string,
    count: number,
    expected: string | [string],
  ])[];
}

const fixture = JSON.parse(
  readFileSync(new URL('../../../test/fixtures/python-regex.json', import.meta.url), 'utf8'),
) as Fixture;
const checkpoint = (): void => {};

function options(flags: string): PatternOptions {
  return { ignoreCase: flags.includes('i'), multiline: flags.includes('m'), dotAll: flags.includes('s') };
}

function outcome<T>(compute: () => T): T | [string] {
  try {
    return compute();
  } catch (error) {
    if (error instanceof PatternError) return ['error'];
    assert.ok(error instanceof NodeError, String(error));
    return [error.exceptionType];
  }
}

/** What each group of each match took, as text. */
function found(pattern: string, flags: string, text: string): (string | null)[][] {
  const compiled = compilePattern(pattern, options(flags));
  return Array.from(findMatches(compiled, text, { checkpoint }), (match) =>
    Array.from({ length: compiled.groups + 1 }, (_, group) => match.group(group) ?? null),
  );
}

function spansToText(text: string, expected: Spans): (string | null)[][] {
  const letters = Array.from(text);
  return expected.map((match) =>
    match.map(([start, end]) => (start < 0 ? null : letters.slice(start, end).join(''))),
  );
}

test('patterns find what Python finds, group by group, and are refused where it refuses them', () => {
  for (const [pattern, flags, text, expected] of fixture.finds) {
    const isError = typeof expected[0] === 'string';
    const wanted = isError ? expected : spansToText(text, expected as Spans);
    assert.deepEqual(
      outcome(() => found(pattern, flags, text)),
      wanted,
      JSON.stringify([pattern, flags, text]),
    );
  }
});

test('replacements are expanded as Python expands them', () => {
  for (const [pattern, flags, replacement, text, count, expected] of fixture.substitutions) {
    const actual = outcome(() =>
      substitute(compilePattern(pattern, options(flags)), replacement, text, { count, checkpoint }),
    );
    assert.deepEqual(actual, expected, JSON.stringify([pattern, flags, replacement, text, count]));
  }
});

test('offsets of a match are those of the text it was found in', () => {
  const [match] = findMatches(compilePattern('b+'), '😀bb', { checkpoint });
  assert.deepEqual([match?.start, match?.end], [2, 4]);
});

test('a pattern that backtracks without end is stopped by its time limit', () => {
  const pattern = compilePattern('(a+)+$');
  const matches = findMatches(pattern, `${'a'.repeat(60)}b`, { checkpoint, timeLimitMs: 50 });
  assert.throws(() => matches.next(), { name: 'TimeoutError' });
});

test('a pattern that backtracks without end is stopped when the job is cancelled', () => {
  const pattern = compilePattern('(?:a|a)*b');
  const cancelled = (): void => {
    throw new Interrupted();
  };
  const matches = findMatches(pattern, 'a'.repeat(60), { checkpoint: cancelled });
  assert.throws(() => matches.next(), Interrupted);
});

test('a loop over a long text needs no deep stack', () => {
  const text = 'ab'.repeat(100_000);
  const [match] = findMatches(compilePattern('(?:a|b)*$'), text, { checkpoint });
  assert.equal(match?.end, text.length);
});

test('groups nested without end and patterns without end are refused', () => {
  assert.throws(() => compilePattern('('.repeat(10_000)), { name: 'RecursionError' });
  assert.throws(() => compilePattern('a'.repeat(10_000_000)), { name: 'ValueError' });
});
