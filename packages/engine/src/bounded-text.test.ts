import assert from 'node:assert/strict';
import { test } from 'node:test';

import { addMapped, createTextBuilder, MAX_JOB_TEXT_LENGTH, MAX_TEXT_LENGTH } from './bounded-text.ts';
import { output } from './declare/outputs.ts';
import { createResultMeter } from './execute/result-meter.ts';
import { defineNode, listOutput } from './index.ts';
import { pythonJson } from './python/python-json.ts';
import { pythonAscii, pythonRepr } from './python/python-repr.ts';

const OUT_OF_MEMORY = { name: 'OOMError' };
const type = defineNode({
  type: 'Two',
  category: 'test',
  inputs: {},
  outputs: [output('STRING'), listOutput('STRING')],
  run: () => ['', []],
});

test('a text is refused before it is too long, however many pieces it has', () => {
  const builder = createTextBuilder(100_000);
  for (let n = 0; n < 100_000; n += 1) builder.add('a');
  assert.equal(builder.toString(), 'a'.repeat(100_000));
  assert.throws(() => builder.add('a'), { ...OUT_OF_MEMORY, message: /100000 characters/ });
});

test('a text is mapped in slices that keep pairs of surrogates together', () => {
  const text = `a${'😀'.repeat(20_000)}`;
  const builder = createTextBuilder();
  addMapped(builder, text, (slice) => slice.replace(/😀/gu, 'b'));
  assert.equal(builder.toString(), `a${'b'.repeat(20_000)}`);
});

test('values are not printed beyond the length that is allowed', () => {
  const control = '\u0001'.repeat(1000);
  assert.throws(() => pythonRepr([control], undefined, 4000), OUT_OF_MEMORY);
  assert.equal(pythonRepr([control], undefined, 4004).length, 4004);
  assert.throws(() => pythonAscii('€'.repeat(1000), undefined, 6000), OUT_OF_MEMORY);
  let nested: unknown = Array.from({ length: 1000 }, () => 1);
  for (let depth = 0; depth < 500; depth += 1) nested = [nested];
  assert.throws(() => pythonJson(nested, { indent: 8, maxLength: MAX_TEXT_LENGTH / 16 }), OUT_OF_MEMORY);
});

test('what a node gives is refused when a text, all texts together or a list are too large', () => {
  const meter = createResultMeter(type, MAX_JOB_TEXT_LENGTH);
  assert.deepEqual(meter(['a', ['b', 'c']]), ['a', ['b', 'c']]);
  assert.throws(() => meter(['a'.repeat(MAX_TEXT_LENGTH + 1), []]), OUT_OF_MEMORY);
  const long = 'a'.repeat(MAX_TEXT_LENGTH);
  assert.throws(() => meter(['', [long, long, long, long]]), {
    ...OUT_OF_MEMORY,
    message: /texts of the job/,
  });
  const items = createResultMeter(type, MAX_JOB_TEXT_LENGTH);
  for (let call = 0; call < 10; call += 1) items(['', Array.from({ length: 10_000 }, () => '')]);
  assert.throws(() => items(['', ['']]), { ...OUT_OF_MEMORY, message: /100000 items/ });
});
