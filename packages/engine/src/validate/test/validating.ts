import assert from 'node:assert/strict';
import {
  answerCheck,
  type CheckQuestion,
  combo,
  createCatalogue,
  createFolderFiles,
  defineNode,
  float,
  type Graph,
  int,
  link,
  output,
  string,
  type Validation,
  validatePrompt,
} from '../../index.ts';
import { pack } from '../../test/pack.ts';

/** Node types that are wrong in ways of their own. */
const nodes = [
  defineNode({
    type: 'Amount',
    category: 'test',
    inputs: { amount: float() },
    outputs: [output('FLOAT')],
    run: ({ amount }) => [amount],
  }),
  defineNode({
    type: 'Share',
    category: 'test',
    inputs: { share: float({ min: 1e-7, max: 1 }) },
    outputs: [output('FLOAT')],
    run: ({ share }) => [share],
  }),
  defineNode({
    type: 'Quoted',
    category: 'test',
    inputs: { choice: combo(["it's", 'hard']) },
    outputs: [output('STRING')],
    run: ({ choice }) => [choice],
  }),
  defineNode({
    type: 'Through',
    category: 'test',
    outputNode: true,
    inputs: { first: link('INT'), second: link('INT') },
    outputs: [output('INT')],
    run: ({ first }) => [first],
  }),
  defineNode({
    type: 'Brittle',
    category: 'test',
    inputs: { word: string(), size: int({ max: 3 }) },
    outputs: [output('STRING')],
    validate: {
      inputs: ['word'],
      check({ word, size }) {
        if (word === undefined) throw new Error('no word');
        return size === undefined ? 'no size' : true;
      },
    },
    run: ({ word }) => [word],
  }),
];
const catalogue = createCatalogue([pack, { name: 'more', nodes }]);
const files = createFolderFiles({ input: 'none', output: 'none', temp: 'none' });

export async function validate(prompt: unknown): Promise<Validation> {
  const askCheck = async (question: CheckQuestion) => await answerCheck(catalogue, question, files);
  return await validatePrompt(prompt, { catalogue, files, askCheck });
}

/** The problems of one node in a graph that also has a valid output. */
export async function problemsOf(node: Graph[string], more: Record<string, unknown> = {}) {
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
