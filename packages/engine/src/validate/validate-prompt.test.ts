import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createFolderFiles, type Validation, validatePrompt } from '../index.ts';
import { catalogue } from '../test/run.ts';

const files = createFolderFiles({ input: 'none', output: 'none', temp: 'none' });

async function validate(prompt: unknown, targets?: readonly string[]): Promise<Validation> {
  return await validatePrompt(prompt, { catalogue, files, targets });
}

describe('a prompt as a whole', () => {
  it('must be there', async () => {
    const result = await validate(undefined);
    assert.deepEqual(result, {
      ok: false,
      error: {
        type: 'no_prompt',
        message: 'No prompt provided',
        details: 'Send the workflow as {"prompt": {…}}.',
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
      assert.deepEqual(result.error.extra_info, { node_id: '7', class_type: null, node_title: null });
    });
  }

  it('names an unknown node without a title by its type', async () => {
    const result = await validate({ 7: { class_type: 'Nope' } });
    assert.ok(!result.ok);
    assert.equal(result.error.extra_info['node_title'], 'Nope');
  });

  it('must have an output', async () => {
    const result = await validate({ 1: { class_type: 'Number', inputs: { value: 1 } } });
    assert.ok(!result.ok);
    assert.deepEqual(result.error, {
      type: 'prompt_no_outputs',
      message: 'Prompt has no outputs',
      details: 'No node of the workflow saves or shows anything. Add one, such as SaveImage or PreviewImage.',
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

  it('runs the valid outputs and reports the others', async () => {
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

  it('is refused when no output is valid; details are those of the outputs themselves', async () => {
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

  it('refuses every output that needs a cycle, wherever it enters', async () => {
    const result = await validate({
      P: { class_type: 'Add', inputs: { a: ['a', 0] } },
      a: { class_type: 'Add', inputs: { a: ['b', 0], b: ['c', 0] } },
      b: { class_type: 'Add', inputs: { a: ['Z', 0] } },
      c: { class_type: 'Add', inputs: { a: ['P', 0] } },
      Z: { class_type: 'Add', inputs: { a: ['P', 0] } },
      one: { class_type: 'Show', inputs: { value: ['a', 0] } },
      two: { class_type: 'Show', inputs: { value: ['Z', 0] } },
    });
    assert.ok(!result.ok);
    for (const { dependent_outputs: outputs } of Object.values(result.node_errors)) {
      assert.deepEqual(outputs, ['one', 'two']);
    }
  });

  it('may call its nodes and their inputs as JavaScript calls its own', async () => {
    const prompt: unknown = JSON.parse(`{
      "__proto__": { "class_type": "Show", "inputs": { "value": ["constructor", 0], "__proto__": 1 } },
      "constructor": { "class_type": "Add", "inputs": { "a": ["toString", 0] } },
      "toString": { "class_type": "Number", "inputs": { "value": "7", "constructor": 5 } }
    }`);
    const result = await validate(prompt);
    assert.ok(result.ok, JSON.stringify(result));
    assert.deepEqual(result.targets, ['__proto__']);
    assert.deepEqual(Object.keys(result.graph), ['__proto__', 'constructor', 'toString']);
    assert.equal(result.graph['toString']?.inputs['value'], 7);
  });

  for (const name of ['__proto__', 'constructor', 'toString']) {
    it(`has no node or node type ${name} unless it says so`, async () => {
      const linked = await validate({ 2: { class_type: 'Show', inputs: { value: [name, 0] } } });
      assert.equal(linked.node_errors['2']?.errors[0]?.extra_info['exception_type'], 'KeyError');
      const typed = await validate({ 2: { class_type: name, inputs: {} } });
      assert.equal(typed.ok ? '' : typed.error.type, 'missing_node_type');
    });
  }

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
