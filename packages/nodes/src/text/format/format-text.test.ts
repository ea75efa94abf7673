import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { NodeError, parsePythonJson } from '@atelier/engine';
import { formatText } from './format-text.ts';
import { formatValue } from './format-value.ts';

interface Fixture {
  readonly names: readonly [string];
  readonly specs: readonly (readonly [spec: string, value: string, expected: string | [string]])[];
  readonly templates: readonly (readonly [template: string, expected: string | [string]])[];
}

const fixture = JSON.parse(
  readFileSync(new URL('../../../test/fixtures/python-format.json', import.meta.url), 'utf8'),
) as Fixture;

function outcome(compute: () => string): string | [string] {
  try {
    return compute();
  } catch (error) {
    assert.ok(error instanceof NodeError, String(error));
    return [error.exceptionType];
  }
}

test('every format specification gives what Python gives, or its kind of error', () => {
  for (const [spec, value, expected] of fixture.specs) {
    const actual = outcome(() => formatValue(parsePythonJson(value), spec));
    assert.deepEqual(actual, expected, `format(${value}, ${JSON.stringify(spec)})`);
  }
});

test('templates are parsed as Python parses them, with lookups, conversions and nested fields', () => {
  const names = Object.fromEntries(parsePythonJson(fixture.names[0]) as Map<string, unknown>);
  for (const [template, expected] of fixture.templates) {
    assert.deepEqual(
      outcome(() => formatText(template, names)),
      expected,
      JSON.stringify(template),
    );
  }
});

test('a picture has a shape, whose sizes can be taken one by one', () => {
  const a = { batch: 2, height: 3, width: 4, channels: 3, data: new Float32Array(72) };
  assert.equal(formatText('{a.shape} {a.shape[1]}', { a }), 'torch.Size([2, 3, 4, 3]) 3');
});

test('no name reaches what a value inherits', () => {
  for (const field of [
    '{a.constructor}',
    '{a.__class__}',
    '{constructor}',
    '{a[constructor]}',
    '{toString}',
  ]) {
    assert.throws(() => formatText(field, { a: { own: 1 } }), NodeError, field);
  }
});

test('a width that would fill the memory is refused', () => {
  assert.throws(() => formatText('{a:99999999999}', { a: 'x' }), { name: 'ValueError' });
  assert.throws(() => formatText('{a:9999999}'.repeat(20), { a: 'x' }), { name: 'OOMError' });
});
