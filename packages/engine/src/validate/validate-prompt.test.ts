import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createFolderFiles, type Graph, type Validation, validatePrompt } from '../index.ts';
import { catalogue } from '../test/run.ts';

const files = createFolderFiles({ input: 'none', output: 'none', temp: 'none' });

async function validate(prompt: unknown, targets?: readonly string[]): Promise<Validation> {
  return await validatePrompt(prompt, { catalogue, files, targets });
}

/** The problems of one node in a graph that also has a sound output. */
async function problemsOf(node: Graph[string], more: Record<string, unknown> = {}) {
  const result = await validate({
    node,
    show: { class_type: 'Show', inputs: { value: ['node', 0] } },
    one: { class_type: 'Number', inputs: { value: 1 } },
    good: { class_type: 'Show', inputs: { value: ['one', 0] } },
    ...more,
  });
  assert.ok(result.ok, JSON.stringify(result));
  return result.node_errors['node']?.errors ?? [];
}

describe('a prompt as a whole', () => {
  it('must be there', async () => {
    const result = await validate(undefined);
    assert.deepEqual(result, {
      ok: false,
      error: {
        type: 'no_prompt',
        message: 'No prompt provided',
        details: 'No prompt provided',
        extra_info: {},
      },
      node_errors: {},
    });
  });

  for (const prompt of ['text', 3, [], true]) {
    it(`must be an object, not ${JSON.stringify(prompt)}`, async () => {
      const result = await validate(prompt);
      assert.ok(!result.ok);
      assert.equal(result.error.type, 'invalid_prompt');
    });
  }

  it('may only use node types that exist, and the first that does not is named', async () => {
    const result = await validate({ 7: { class_type: 'Nope', inputs: {}, _meta: { title: 'My node' } } });
    assert.ok(!result.ok);
    assert.equal(result.error.type, 'missing_node_type');
    assert.match(result.error.message, /My node/);
    assert.equal(result.error.details, "Node ID '#7'");
    assert.deepEqual(result.error.extra_info, { node_id: '7', class_type: 'Nope', node_title: 'My node' });
  });

  for (const node of [{}, null, 3, { inputs: {} }, { class_type: 4 }]) {
    it(`refuses a node without a type: ${JSON.stringify(node)}`, async () => {
      const result = await validate({ 7: node });
      assert.ok(!result.ok);
      assert.equal(result.error.type, 'missing_node_type');
      assert.equal(result.error.extra_info['class_type'], null);
    });
  }

  it('must have an output', async () => {
    const result = await validate({ 1: { class_type: 'Number', inputs: { value: 1 } } });
    assert.ok(!result.ok);
    assert.deepEqual(result.error, {
      type: 'prompt_no_outputs',
      message: 'Prompt has no outputs',
      details: '',
      extra_info: {},
    });
  });

  it('must have an output among the targets, so an empty list of targets fails', async () => {
    const prompt = {
      1: { class_type: 'Number', inputs: { value: 1 } },
      2: { class_type: 'Show', inputs: { value: ['1', 0] } },
      3: { class_type: 'Show', inputs: { value: ['1', 0] } },
    };
    const none = await validate(prompt, []);
    assert.equal(none.ok ? '' : none.error.type, 'prompt_no_outputs');
    const one = await validate(prompt, ['3', '1']);
    assert.deepEqual(one.ok && one.targets, ['3']);
  });

  it('runs the sound outputs and reports the others', async () => {
    const result = await validate({
      1: { class_type: 'Number', inputs: { value: 'abc' } },
      2: { class_type: 'Show', inputs: { value: ['1', 0] } },
      3: { class_type: 'Number', inputs: { value: 1 } },
      4: { class_type: 'Show', inputs: { value: ['3', 0] } },
    });
    assert.ok(result.ok);
    assert.deepEqual(result.targets, ['4']);
    assert.deepEqual(Object.keys(result.node_errors), ['1']);
    assert.deepEqual(result.node_errors['1']?.dependent_outputs, ['2']);
    assert.equal(result.node_errors['1']?.class_type, 'Number');
  });

  it('is refused when no output is sound; details are those of the outputs themselves', async () => {
    const result = await validate({
      1: { class_type: 'Number', inputs: {} },
      2: { class_type: 'Show', inputs: { value: ['1', 0] } },
      3: { class_type: 'Show', inputs: {} },
    });
    assert.ok(!result.ok);
    assert.deepEqual(result.error, {
      type: 'prompt_outputs_failed_validation',
      message: 'Prompt outputs failed validation',
      details: 'Required input is missing: value',
      extra_info: {},
    });
    assert.deepEqual(Object.keys(result.node_errors).sort(), ['1', '3']);
  });

  it('tells a cycle on every node of it', async () => {
    const result = await validate({
      1: { class_type: 'Add', inputs: { a: ['2', 0] } },
      2: { class_type: 'Add', inputs: { a: ['1', 0] } },
      3: { class_type: 'Show', inputs: { value: ['1', 0] } },
    });
    assert.ok(!result.ok);
    const { node_errors } = result;
    for (const id of ['1', '2']) {
      const [error] = node_errors[id]?.errors ?? [];
      assert.equal(error?.type, 'dependency_cycle');
      assert.equal(error?.details, '1 (Add) -> 2 (Add) -> 1 (Add)');
      assert.deepEqual(error?.extra_info, { node_id: id, cycle_nodes: ['1', '2'] });
    }
  });

  it('may be a chain of ten thousand nodes', async () => {
    const nodes = Array.from({ length: 10_000 }, (_, index) => [
      `n${index}`,
      index === 0
        ? { class_type: 'Number', inputs: { value: 1 } }
        : { class_type: 'Add', inputs: { a: [`n${index - 1}`, 0] } },
    ]);
    const result = await validate({
      ...Object.fromEntries(nodes),
      show: { class_type: 'Show', inputs: { value: ['n9999', 0] } },
    });
    assert.deepEqual(result.ok && result.targets, ['show']);
  });

  it('leaves what was given as it was', async () => {
    const prompt = {
      1: { class_type: 'Number', inputs: { value: '5' } },
      2: { class_type: 'Show', inputs: { value: ['1', 0] } },
    };
    const result = await validate(prompt);
    assert.equal(prompt[1].inputs.value, '5');
    assert.equal(result.ok && result.graph['1']?.inputs['value'], 5);
  });
});

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
      what: 'that is no number',
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
      what: 'linked to a node that does not exist',
      node: { class_type: 'Add', inputs: { a: ['99', 0] } },
      type: 'exception_during_inner_validation',
      message: 'Exception when validating inner node',
      details: "'99'",
    },
    {
      what: 'linked to an output that does not exist',
      node: { class_type: 'Add', inputs: { a: ['one', 5] } },
      type: 'exception_during_inner_validation',
      details: 'Node one has no output 5.',
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

  it('of an output node whose link leads nowhere is told on that node', async () => {
    const result = await validate({ 1: { class_type: 'Show', inputs: { value: ['99', 0] } } });
    assert.ok(!result.ok);
    const [error] = result.node_errors['1']?.errors ?? [];
    assert.equal(error?.type, 'exception_during_validation');
    assert.equal(error?.extra_info['exception_type'], 'KeyError');
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

  it('that nobody declared is no problem', async () => {
    assert.deepEqual(await problemsOf({ class_type: 'Number', inputs: { value: 1, other: 'x' } }), []);
  });
});
