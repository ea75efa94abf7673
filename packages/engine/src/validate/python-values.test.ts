import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NodeError } from '../node-error.ts';
import { toBoolean, toFloat, toInt } from './python-values.ts';

function refusal(convert: (value: unknown) => unknown, value: unknown): string {
  try {
    return `became ${String(convert(value))}`;
  } catch (error) {
    assert.ok(error instanceof NodeError);
    return `${error.exceptionType}: ${error.message}`;
  }
}

describe('values as Python converts them', () => {
  const FLOATS: readonly (readonly [given: unknown, got: number])[] = [
    ['1', 1],
    [' 1_000.5 ', 1000.5],
    ['.5', 0.5],
    ['5.', 5],
    ['-1e-1_0', -1e-10],
    [true, 1],
    [2n ** 60n, 2 ** 60],
  ];
  for (const [given, got] of FLOATS) {
    it(`reads ${String(given)} as a float`, () => assert.equal(toFloat(given), got));
  }

  for (const text of ['', '.', 'e5', '1__0', '_1', '1_.5', '1._5', '0x10', '1e', '--1', '1 2']) {
    it(`takes ${JSON.stringify(text)} for no float`, () => {
      assert.equal(refusal(toFloat, text), `ValueError: could not convert string to float: '${text}'`);
    });
  }

  const NOT_FINITE = ['nan', '+NaN', 'inf', 'Infinity', '-INF', '1e999', Number.NaN, Infinity, -Infinity];
  for (const value of NOT_FINITE) {
    it(`refuses ${JSON.stringify(value)} ${typeof value} as a float`, () => {
      assert.match(refusal(toFloat, value), /^ValueError: value must be finite, not (?:nan|-?inf)$/);
    });
  }

  const INTS: readonly (readonly [given: unknown, got: number | bigint])[] = [
    [-3.9, -3],
    [' +1_000 ', 1000],
    ['-0', 0],
    ['18446744073709551615', 18446744073709551615n],
    [-(2n ** 63n), -(2n ** 63n)],
    [5n, 5],
  ];
  for (const [given, got] of INTS) {
    it(`reads ${String(given)} as an integer`, () => assert.equal(toInt(given), got));
  }

  const NO_INTS: readonly (readonly [given: unknown, why: string])[] = [
    [Infinity, 'OverflowError: cannot convert float infinity to integer'],
    [Number.NaN, 'ValueError: cannot convert float NaN to integer'],
    ['inf', "ValueError: invalid literal for int() with base 10: 'inf'"],
    ["it's", `ValueError: invalid literal for int() with base 10: "it's"`],
    [{}, "TypeError: int() argument must be a string, a bytes-like object or a real number, not 'dict'"],
    [
      '1'.repeat(5000),
      'ValueError: Exceeds the limit (4300 digits) for integer string conversion: value has 5000 digits',
    ],
  ];
  for (const [given, why] of NO_INTS) {
    it(`refuses ${String(given).slice(0, 20)} as an integer`, () => assert.equal(refusal(toInt, given), why));
  }

  it('takes what is not a number for true, as all but zero', () => {
    assert.deepEqual([Number.NaN, 0, '', {}, [0], null].map(toBoolean), [
      true,
      false,
      false,
      false,
      true,
      false,
    ]);
  });

  // Were the time by the square of the length, these would take hours.
  const LONG = 10_000_000;
  const LONG_TEXTS: Readonly<Record<string, string>> = {
    digits: `${'1'.repeat(LONG)}x`,
    'digits with underscores': `${'1_'.repeat(LONG / 2)}x`,
    spaces: `1${' '.repeat(LONG)}x`,
    'nothing but spaces': ' '.repeat(LONG),
    points: '.'.repeat(LONG),
  };
  for (const [what, text] of Object.entries(LONG_TEXTS)) {
    it(`knows at once that ten million ${what} are not a number, and repeats few of them`, () => {
      for (const convert of [toInt, toFloat]) assert.ok(refusal(convert, text).length < 400);
    });
  }
});
