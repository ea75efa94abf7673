import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import {
  floatRepr,
  JsonDecodeError,
  NodeError,
  parseFloatText,
  parseInteger,
  parsePythonJson,
  pythonJson,
  roundFloat,
  roundInteger,
} from '@atelier/engine';
import { capitalize, titleCase } from './python-case.ts';
import {
  isTruthy,
  pythonAscii,
  pythonRepr,
  pythonStr,
  replaceText,
  sliceText,
  strip,
  stripLeft,
  stripRight,
  textLength,
} from './python-text.ts';

type Outcome = string | readonly [exception: string];

interface Fixture {
  readonly values: readonly (readonly [string, string, string, string, boolean, string, string, string])[];
  readonly documents: readonly (readonly [document: string, expected: Outcome])[];
  readonly texts: readonly (readonly [
    string,
    string,
    string,
    string,
    string,
    string,
    string,
    string,
    number,
  ])[];
  readonly slices: readonly (readonly [text: string, start: number, end: number, expected: string])[];
  readonly replaces: readonly (readonly [
    text: string,
    find: string,
    replacement: string,
    expected: string,
  ])[];
  readonly numbers: readonly (readonly [text: string, float: Outcome, integer: Outcome])[];
  readonly floats: readonly (readonly [hex: string, repr: string, ...rounded: string[]])[];
  readonly integers: readonly (readonly [value: string, digits: number, expected: string])[];
}

const fixture = JSON.parse(
  readFileSync(new URL('../../test/fixtures/python-text.json', import.meta.url), 'utf8'),
) as Fixture;

function outcome(compute: () => string): Outcome {
  try {
    return compute();
  } catch (error) {
    if (error instanceof JsonDecodeError) return [error.name];
    assert.ok(error instanceof NodeError, String(error));
    return [error.exceptionType];
  }
}

test('values have the str, repr, ascii and truth of Python', () => {
  for (const [json, repr, ascii, str, truth] of fixture.values) {
    const value = parsePythonJson(json);
    assert.equal(pythonRepr(value), repr);
    assert.equal(pythonAscii(value), ascii);
    assert.equal(pythonStr(value), str);
    assert.equal(isTruthy(value), truth, json);
  }
});

test('JSON is laid out as json.dumps lays it out', () => {
  for (const [json, , , , , oneLine, unicode, indented] of fixture.values) {
    const value = parsePythonJson(json);
    assert.equal(pythonJson(value), oneLine);
    assert.equal(pythonJson(value, { indent: 4, ascii: false }), unicode);
    assert.equal(pythonJson(value, { indent: 2 }), indented);
  }
});

test('documents are read as json.loads reads them, and refused where it refuses them', () => {
  for (const [document, expected] of fixture.documents) {
    const actual = outcome(() => pythonJson(parsePythonJson(document), { indent: 2 }));
    assert.deepEqual(actual, expected, document.slice(0, 80));
  }
});

test('a document that is nested without end is refused', () => {
  assert.throws(() => parsePythonJson('['.repeat(100_000)), { name: 'RecursionError' });
});

test('whole numbers are integers up to 2^53 and bigints always, and what is not JSON is a TypeError', () => {
  const value = { b: 1, a: [1.5, undefined, 2 ** 53 - 1, 2 ** 53, 2n ** 64n, 2 ** 70, -0], c: { ü: 'é' } };
  assert.equal(
    pythonJson(value),
    '{"b": 1, "a": [1.5, null, 9007199254740991, 9007199254740992.0, 18446744073709551616, 1.1805916207174113e+21, -0.0], "c": {"\\u00fc": "\\u00e9"}}',
  );
  assert.throws(() => pythonJson({ data: new Float32Array(1) }), { name: 'TypeError' });
});

test('case, white space and length are those of str', () => {
  for (const [text, upper, lower, capital, title, both, left, right, length] of fixture.texts) {
    assert.equal(text.toUpperCase(), upper);
    assert.equal(text.toLowerCase(), lower);
    assert.equal(capitalize(text), capital);
    assert.equal(titleCase(text), title);
    assert.equal(strip(text), both);
    assert.equal(stripLeft(text), left);
    assert.equal(stripRight(text), right);
    assert.equal(textLength(text), length);
  }
});

test('slices and replacements count in code points', () => {
  for (const [text, start, end, expected] of fixture.slices)
    assert.equal(sliceText(text, start, end), expected);
  for (const [text, find, replacement, expected] of fixture.replaces) {
    assert.equal(replaceText(text, find, replacement), expected);
  }
});

test('a replacement that would fill the memory is refused', () => {
  assert.throws(() => replaceText('a'.repeat(10_000), '', 'b'.repeat(100_000)), { name: 'OOMError' });
});

test('text becomes a number where int and float accept it', () => {
  for (const [text, float, integer] of fixture.numbers) {
    const read = parseFloatText(text);
    assert.deepEqual(read === undefined ? ['ValueError'] : floatRepr(read), float, `float(${text})`);
    const whole = outcome(() => String(parseInteger(text)));
    assert.deepEqual(whole === 'undefined' ? ['ValueError'] : whole, integer, `int(${text})`);
  }
});

test('floats are written with the shortest digits and rounded on their exact value', () => {
  for (const [hex, repr, ...rounded] of fixture.floats) {
    const value = Number(repr);
    assert.equal(floatRepr(value), repr, hex);
    const digits = [0, 1, 2, 5, -1, -3];
    assert.deepEqual(
      digits.map((count) => floatRepr(roundFloat(value, count))),
      rounded,
      repr,
    );
  }
});

test('integers round to tens and hundreds with halves to even', () => {
  for (const [value, digits, expected] of fixture.integers) {
    assert.equal(String(roundInteger(BigInt(value), digits)), expected);
  }
});
