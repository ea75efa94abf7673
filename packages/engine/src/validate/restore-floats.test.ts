import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  answerCheck,
  type CheckQuestion,
  createCatalogue,
  createFolderFiles,
  defineNode,
  float,
  int,
  link,
  parsePrompt,
  string,
  toJson,
  validatePrompt,
} from '../index.ts';

const picky = defineNode({
  type: 'Picky',
  category: 'test',
  outputNode: true,
  inputs: { any: link('*'), text: string(), whole: int(), part: float() },
  outputs: [],
  validate: { inputs: ['any'], check: ({ any }, { types }) => `${String(any)} ${types['any']}` },
  run: () => [],
});
const catalogue = createCatalogue([
  { name: 'test', nodes: [picky, { ...picky, type: 'Lax', validate: undefined }] },
]);
const files = createFolderFiles({ input: 'none', output: 'none', temp: 'none' });

async function validate(type: string, number: string) {
  const inputs = `{"any":${number},"text":${number},"whole":${number},"part":${number}}`;
  const { prompt, ...parts } = parsePrompt(`{"1":{"class_type":"${type}","inputs":${inputs}}}`);
  const askCheck = async (question: CheckQuestion) => await answerCheck(catalogue, question, files);
  return await validatePrompt(prompt, { catalogue, files, askCheck, ...parts });
}

describe('a number in a graph', () => {
  for (const [number, told] of [
    ['5', '5 undefined'],
    ['5.0', '5 FLOAT'],
    ['5e0', '5 FLOAT'],
    ['5.5', '5.5 undefined'],
  ] as const) {
    it(`is told to a check as ${told} when it is ${number}`, async () => {
      const result = await validate('Picky', number);
      assert.equal(result.node_errors['1']?.errors[0]?.details, `any - ${told}`);
    });
  }

  it('stays a float where its input takes anything, and is what its input says elsewhere', async () => {
    const result = await validate('Lax', '5.0');
    assert.ok(result.ok);
    assert.equal(
      toJson(result.graph),
      '{"1":{"class_type":"Lax","inputs":{"any":5.0,"text":"5.0","whole":5,"part":5}}}',
    );
  });
});
