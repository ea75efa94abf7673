import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Graph } from '../index.ts';
import { problemsOf, validate } from './test/validating.ts';

describe('an input', () => {
  const CASES: readonly {
    readonly what: string;
    readonly node: Graph[string];
    readonly type: string;
    readonly message?: string;
    readonly details: string;
  }[] = [
    {
      what: 'that is required and missing',
      node: { class_type: 'Number', inputs: {} },
      type: 'required_input_missing',
      message: 'Required input is missing',
      details: 'value',
    },
    {
      what: 'of an autogrow that is required and missing, by its last name',
      node: { class_type: 'Sum', inputs: {} },
      type: 'required_input_missing',
      details: 'value0',
    },
    {
      what: 'that is a list of one',
      node: { class_type: 'Add', inputs: { a: ['one'] } },
      type: 'bad_linked_input',
      message: 'Bad linked input, must be a length-2 list of [node_id, slot_index]',
      details: 'a',
    },
    {
      what: 'linked to another type',
      node: { class_type: 'Add', inputs: { a: ['mode', 0] } },
      type: 'return_type_mismatch',
      message: 'Return type mismatch between linked nodes',
      details: 'a, received_type(STRING) mismatch input_type(INT)',
    },
    {
      what: 'that is not a number',
      node: { class_type: 'Number', inputs: { value: 'abc' } },
      type: 'invalid_input_type',
      message: 'Failed to convert an input value to a INT value',
      details: "value, abc, invalid literal for int() with base 10: 'abc'",
    },
    {
      what: 'that is null where a number is needed',
      node: { class_type: 'Number', inputs: { value: null } },
      type: 'invalid_input_type',
      details:
        "value, None, int() argument must be a string, a bytes-like object or a real number, not 'NoneType'",
    },
    {
      what: 'below its bound',
      node: { class_type: 'Mode', inputs: { mode: 'soft', strength: -1 } },
      type: 'value_smaller_than_min',
      message: 'Value -1 smaller than min of 0',
      details: 'strength',
    },
    {
      what: 'above its bound',
      node: { class_type: 'Mode', inputs: { mode: 'soft', strength: 11 } },
      type: 'value_bigger_than_max',
      message: 'Value 11 bigger than max of 10',
      details: 'strength',
    },
    {
      what: 'that is none of the choices',
      node: { class_type: 'Mode', inputs: { mode: 'odd' } },
      type: 'value_not_in_list',
      message: 'Value not in list',
      details: "mode: 'odd' not in ['soft', 'hard']",
    },
    {
      what: 'that the node itself refuses',
      node: { class_type: 'Picky', inputs: { word: 'now', size: 1 } },
      type: 'custom_validation_failed',
      message: 'Custom validation failed for node',
      details: 'word - the word is missing',
    },
    {
      what: 'of a choice that does not exist',
      node: { class_type: 'Shape', inputs: { shape: 'ball' } },
      type: 'value_not_in_list',
      details: "shape: 'ball' not in ['square', 'box']",
    },
    {
      what: 'that its choice requires',
      node: { class_type: 'Shape', inputs: { shape: 'square' } },
      type: 'required_input_missing',
      details: 'side',
    },
    {
      what: 'that is null where a choice is needed',
      node: { class_type: 'Quoted', inputs: { choice: null } },
      type: 'value_not_in_list',
      details: `choice: 'None' not in ["it's", 'hard']`,
    },
    {
      what: 'that is an object where a choice is needed',
      node: { class_type: 'Mode', inputs: { mode: { a: [true, 0.5] } } },
      type: 'value_not_in_list',
      details: "mode: '{'a': [True, 0.5]}' not in ['soft', 'hard']",
    },
    {
      what: 'with a point above its bound',
      node: { class_type: 'Share', inputs: { share: '5' } },
      type: 'value_bigger_than_max',
      message: 'Value 5.0 bigger than max of 1.0',
      details: 'share',
    },
    {
      what: 'with a point below its bound',
      node: { class_type: 'Share', inputs: { share: 1e-9 } },
      type: 'value_smaller_than_min',
      message: 'Value 1e-09 smaller than min of 1e-07',
      details: 'share',
    },
    {
      what: 'that is infinite where an integer is needed',
      node: { class_type: 'Number', inputs: { value: Infinity } },
      type: 'invalid_input_type',
      details: 'value, inf, cannot convert float infinity to integer',
    },
    {
      what: 'that is infinite',
      node: { class_type: 'Amount', inputs: { amount: -Infinity } },
      type: 'invalid_input_type',
      details: 'amount, -inf, value must be finite, not -inf',
    },
    {
      what: 'linked to a node that does not exist',
      node: { class_type: 'Add', inputs: { a: ['99', 0] } },
      type: 'exception_during_inner_validation',
      message: 'Exception when validating inner node',
      details: 'a links to node 99, which is not in the workflow.',
    },
    {
      what: 'linked to an output that does not exist',
      node: { class_type: 'Add', inputs: { a: ['one', 5] } },
      type: 'exception_during_inner_validation',
      details: 'a links to output 5 of node one (Number), which has 1 output, counted from 0.',
    },
  ];
  for (const { what, node, type, message, details } of CASES) {
    it(`${what}: ${type}`, async () => {
      const [error, ...more] = await problemsOf(node, {
        mode: { class_type: 'Mode', inputs: { mode: 'soft' } },
      });
      assert.deepEqual(more, []);
      assert.equal(error?.type, type);
      assert.equal(error?.details, details);
      if (message !== undefined) assert.equal(error?.message, message);
    });
  }

  it('carries its declaration in the problem', async () => {
    const [error] = await problemsOf({ class_type: 'Mode', inputs: { mode: 'soft', strength: 11 } });
    assert.deepEqual(error?.extra_info, {
      input_name: 'strength',
      input_config: ['INT', { min: 0, max: 10 }],
      received_value: 11,
    });
  });

  const CONVERSIONS: readonly (readonly [type: string, input: string, given: unknown, got: unknown])[] = [
    ['Number', 'value', 3.9, 3],
    ['Number', 'value', -3.9, -3],
    ['Number', 'value', ' 7 ', 7],
    ['Number', 'value', true, 1],
    ['Choose', 'first', 'false', true],
    ['Choose', 'first', '', false],
    ['Choose', 'first', 0, false],
    ['Fail', 'message', 12, '12'],
    ['Fail', 'message', null, 'None'],
    ['Fail', 'message', true, 'True'],
    ['Fail', 'message', { __value__: ['a', 1] }, "['a', 1]"],
  ];
  for (const [type, input, given, got] of CONVERSIONS) {
    it(`${input} of ${type} given ${JSON.stringify(given)} becomes ${JSON.stringify(got)}`, async () => {
      const node = { class_type: type, inputs: { one: ['one', 0], two: ['one', 0], [input]: given } };
      const result = await validate({
        node,
        one: { class_type: 'Number', inputs: { value: 1 } },
        show: { class_type: 'Show', inputs: { value: ['node', 0] } },
      });
      assert.ok(result.ok, JSON.stringify(result));
      assert.deepEqual(result.graph['node']?.inputs[input], got);
    });
  }

  it('of a wrapped choice is checked as well', async () => {
    const [error] = await problemsOf({ class_type: 'Shape', inputs: { shape: { __value__: 'square' } } });
    assert.equal(error?.type, 'required_input_missing');
    assert.equal(error?.extra_info['input_name'], 'shape.side');
  });

  it('that nobody declared is not a problem', async () => {
    assert.deepEqual(await problemsOf({ class_type: 'Number', inputs: { value: 1, other: 'x' } }), []);
  });
});
