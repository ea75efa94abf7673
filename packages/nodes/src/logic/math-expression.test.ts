import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { NodeError } from '@atelier/engine';
import { runNode } from '../test/run-node.ts';
import { mathExpression } from './math-expression.ts';

interface Fixture {
  readonly cases: readonly (readonly [
    expression: string,
    values: string,
    expected: readonly [float: string, integer: string, truth: boolean] | readonly [exception: string],
  ])[];
}

const fixture = JSON.parse(
  readFileSync(new URL('../../test/fixtures/math-expression.json', import.meta.url), 'utf8'),
) as Fixture;

async function compute(expression: string, values: readonly unknown[]): Promise<readonly unknown[]> {
  const named = Object.fromEntries(
    values.map((value, index) => ['abcdefghijklmnopqrstuvwxyz'.charAt(index), value]),
  );
  try {
    return (await runNode(mathExpression, { expression, values: named })).outputs;
  } catch (error) {
    assert.ok(error instanceof NodeError, String(error));
    return [error.exceptionType.replace('simpleeval.', '')];
  }
}

function isClose(actual: number, expected: number): boolean {
  return Object.is(actual, expected) || Math.abs(actual - expected) <= 4e-16 * Math.abs(expected);
}

test('expressions give the float, integer and truth that Python gives, or its kind of error', async () => {
  for (const [expression, values, expected] of fixture.cases) {
    const actual = await compute(expression, JSON.parse(values) as unknown[]);
    const label = JSON.stringify([expression, values, expected, actual.map(String)]);
    const [float, integer, truth] = expected;
    if (integer === undefined) {
      assert.deepEqual(actual, expected, label);
      continue;
    }
    assert.ok(typeof actual[0] === 'number' && isClose(actual[0], Number(float)), label);
    assert.equal(String(actual[1]), integer, label);
    assert.equal(actual[2], truth, label);
  }
});

test('integers are exact however large', async () => {
  assert.deepEqual(await compute('a + 1', [2 ** 53 - 1]), [2 ** 53, 2n ** 53n, true]);
  assert.deepEqual(await compute('a * 2 + 1', [2n ** 62n]), [2 ** 63, 2n ** 63n + 1n, true]);
  assert.deepEqual(await compute('a - a + 1', [2n ** 63n - 1n]), [1, 1, true]);
});

test('values that were not linked are not there', async () => {
  assert.deepEqual(await compute('sum(values)', [1, undefined, 3]), [4, 4, true]);
  assert.deepEqual(await compute('b', [1, undefined]), ['NameNotDefined']);
  assert.deepEqual(await compute('1 + 1', []), [2, 2, true]);
});

test('expressions without end, and numbers without end, are refused', async () => {
  assert.deepEqual(await compute('('.repeat(5000), []), ['RecursionError']);
  assert.deepEqual(await compute(`1${'+1'.repeat(4900)}`, []), ['RecursionError']);
  assert.deepEqual(await compute(`${'-'.repeat(9000)}1`, []), ['RecursionError']);
  assert.deepEqual(await compute('1'.repeat(10_000_000), []), ['ValueError']);
  assert.deepEqual(await compute('3**4000000', []), ['NumberTooHigh']);
  assert.deepEqual(await compute('9**9**9', []), ['NumberTooHigh']);
  assert.deepEqual(await compute('(2**3000000)*(2**3000000)', []), ['NumberTooHigh']);
});

test('only what is offered can be called', async () => {
  for (const expression of [
    'constructor',
    'toString()',
    '__proto__',
    'values.constructor',
    'process',
    'eval(1)',
  ]) {
    const [outcome] = await compute(expression, [1]);
    assert.match(String(outcome), /^(?:NameNotDefined|FunctionNotDefined|FeatureNotAvailable)$/, expression);
  }
});

test('a result between whole numbers is cut off towards zero', async () => {
  assert.deepEqual(await compute('a / b', [-7, 2]), [-3.5, -3, true]);
  assert.deepEqual(await compute('a', [0.4]), [0.4, 0, true]);
});
