import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { problemsOf, validate } from './test/validating.ts';

describe('an input', () => {
  it('of an output node whose link leads nowhere is told on that node', async () => {
    const result = await validate({ 1: { class_type: 'Show', inputs: { value: ['99', 0] } } });
    assert.ok(!result.ok);
    const [error] = result.node_errors['1']?.errors ?? [];
    assert.equal(error?.type, 'exception_during_validation');
    assert.equal(error?.extra_info['exception_type'], 'KeyError');
    assert.equal(error?.details, 'value links to node 99, which is not in the workflow.');
  });

  const LINKS: readonly (readonly [link: unknown, exception: string, message: string, advice: RegExp])[] = [
    [[1, 0], 'KeyError', '1', /^a links to node 1, .* Write the id as a text: "1"\.$/],
    [[null, 0], 'KeyError', 'None', /^a links to node None, which is not in the workflow\.$/],
    [[['one'], 0], 'TypeError', "unhashable type: 'list'", /^a: no node id\. A link is /],
    [['one', -1], 'IndexError', 'tuple index out of range', /^a links to output -1 of node one /],
    [['one', 1], 'IndexError', 'tuple index out of range', /which has 1 output, counted from 0\.$/],
    [
      ['one', 0.5],
      'TypeError',
      'tuple indices must be integers or slices, not float',
      /^a: the number of the output /,
    ],
    [
      ['one', '0'],
      'TypeError',
      'tuple indices must be integers or slices, not str',
      /^a: the number of the output /,
    ],
    [
      ['one', null],
      'TypeError',
      'tuple indices must be integers or slices, not NoneType',
      /^a: the number of the output /,
    ],
  ];
  for (const [given, exception, message, advice] of LINKS) {
    it(`linked by ${JSON.stringify(given)} is a ${exception}`, async () => {
      const more = { 1: { class_type: 'Number', inputs: { value: 1 } } };
      const [error] = await problemsOf({ class_type: 'Add', inputs: { a: given } }, more);
      assert.equal(error?.extra_info['exception_type'], exception);
      assert.equal(error?.extra_info['exception_message'], message);
      assert.match(error?.details ?? '', advice);
    });
  }

  it('that leads nowhere is told through the input by which validation came, with its declaration', async () => {
    const result = await validate({
      unused: { class_type: 'Add', inputs: { a: ['bad', 0] } },
      bad: { class_type: 'Add', inputs: { a: ['99', 0] } },
      through: { class_type: 'Through', inputs: { first: ['fine', 0], second: ['bad', 0] } },
      later: { class_type: 'Through', inputs: { first: ['bad', 0], second: ['bad', 0] } },
      fine: { class_type: 'Number', inputs: { value: 1 } },
    });
    assert.ok(!result.ok);
    assert.deepEqual(result.node_errors['bad'], {
      class_type: 'Add',
      dependent_outputs: ['through', 'later'],
      errors: [
        {
          type: 'exception_during_inner_validation',
          message: 'Exception when validating inner node',
          details: 'a links to node 99, which is not in the workflow.',
          extra_info: {
            input_name: 'second',
            input_config: ['INT', {}],
            exception_message: "'99'",
            exception_type: 'KeyError',
            traceback: [],
            linked_node: ['bad', 0],
          },
        },
      ],
    });
  });
});

describe('an input that its node checks itself', () => {
  it('is checked whatever else is wrong, and what is said comes last', async () => {
    const problems = await problemsOf({ class_type: 'Picky', inputs: { word: 'now', size: 9 } });
    assert.deepEqual(
      problems.map(({ type, details }) => [type, details]),
      [
        ['value_bigger_than_max', 'size'],
        ['custom_validation_failed', 'word - the word is missing'],
      ],
    );
  });

  it('is checked when it is linked', async () => {
    const text = { text: { class_type: 'Picky', inputs: { word: 'please', size: 1 } } };
    const problems = await problemsOf({ class_type: 'Picky', inputs: { word: ['text', 0], size: 1 } }, text);
    assert.deepEqual(
      problems.map(({ type, details }) => [type, details]),
      [['custom_validation_failed', 'word - the word is missing']],
    );
  });

  it('is checked without those that cannot be read', async () => {
    const problems = await problemsOf({ class_type: 'Brittle', inputs: { word: 'a', size: 'b' } });
    assert.deepEqual(
      problems.map(({ details }) => details),
      ["size, b, invalid literal for int() with base 10: 'b'", 'word - no size'],
    );
  });

  it('is told when it is missing, though the check stumbles over that', async () => {
    const missing = await problemsOf({ class_type: 'Brittle', inputs: { size: 1 } });
    assert.deepEqual(
      missing.map(({ type }) => type),
      ['required_input_missing'],
    );
  });
});
