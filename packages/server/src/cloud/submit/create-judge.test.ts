import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import {
  createCatalogue,
  createFolderFiles,
  defineNode,
  describeNodes,
  readNodeDescriptions,
  string,
} from '@atelier/engine';
import { pack } from '@atelier/nodes';

import { AppError } from '../../platform/errors/app-error.ts';
import { createJudge } from './create-judge.ts';
import { RefusedPrompt } from './refused-prompt.ts';

const folders = { input: 'none', output: 'none', temp: 'none' };
const LONG = 'x'.repeat(100_000);

const picky = defineNode({
  type: 'Picky',
  category: 'test',
  outputNode: true,
  inputs: { word: string() },
  outputs: [],
  validate: { inputs: ['word'], check: () => true },
  run: () => [],
});

describe('a judge of submissions', () => {
  const description = describeNodes(createCatalogue([pack, { name: 'test', nodes: [picky] }]));
  const catalogue = readNodeDescriptions(description);
  const questions: unknown[] = [];
  let judgedHere = 0;
  const judge = createJudge({
    nodeTypes: async () => await Promise.resolve({ catalogue, descriptions: [description] }),
    async askCheck({ type, values, types }) {
      questions.push([type, values, types]);
      if (values['word'] === 'crash') throw Object.assign(new Error('no more'), { name: 'OddError' });
      return await Promise.resolve(values['word'] === 'please' || 'say please');
    },
    files: {
      filesOf() {
        judgedHere += 1;
        return createFolderFiles(folders);
      },
      foldersOf: async () => await Promise.resolve(folders),
    },
  });
  after(async () => await judge.close());

  async function verdict(prompt: string, note: string) {
    const text = `{"prompt":${prompt},"client_id":"c","extra_data":{"seed":18446744073709551615,"note":${note}}}`;
    try {
      return await judge.judge('ada', { text, usageSource: 'test', createTime: 5 });
    } catch (error) {
      if (error instanceof RefusedPrompt) return error.body;
      return error instanceof AppError ? [error.code, error.message, error.details] : error;
    }
  }

  for (const [what, prompt] of [
    ['that can run', '{"2":{"class_type":"PreviewAny","inputs":{"source":18446744073709551615}}}'],
    ['with a wrong node', '{"2":{"class_type":"PreviewAny","inputs":{}}}'],
    ['with an unknown node type', '{"2":{"class_type":"Nope","inputs":{"source":18446744073709551615}}}'],
    ['whose check is custom', '{"2":{"class_type":"Picky","inputs":{"word":"please"}}}'],
    ['whose check refuses it', '{"2":{"class_type":"Picky","inputs":{"word":"now"}}}'],
    ['whose check fails', '{"2":{"class_type":"Picky","inputs":{"word":"crash"}}}'],
    ['as the editor saves it', '{"nodes":[],"links":[]}'],
    ['that cannot be stored', String.raw`{"2":{"class_type":"\ud800","inputs":{}}}`],
    ['that is not JSON', '{'],
  ] as const) {
    it(`says the same in a thread as without one, of a workflow ${what}`, async () => {
      questions.length = 0;
      const here = await verdict(prompt, '""');
      const before = judgedHere;
      const inThread = await verdict(prompt, `"${LONG}"`);
      assert.equal(judgedHere, before, 'it was not judged in the thread');
      const cut: unknown = JSON.parse(JSON.stringify(inThread).replaceAll(LONG, ''));
      // Where the text ends differs.
      const atEnd = (value: unknown) => JSON.stringify(value).replace(/char \d+/, '');
      assert.equal(atEnd(cut), atEnd(here));
      assert.deepEqual(questions[1], questions[0]);
    });
  }

  it('gives accounts their turns: one with many large workflows is not before another with one', async () => {
    const order: string[] = [];
    const large = async (userId: string) => {
      const text = JSON.stringify({ prompt: {}, extra_data: { note: LONG } });
      await judge
        .judge(userId, { text, usageSource: undefined, createTime: 5 })
        .catch((error: unknown) => assert.ok(error instanceof RefusedPrompt));
      order.push(userId);
    };
    await Promise.all([large('ada'), large('ada'), large('ada'), large('bob')]);
    assert.deepEqual(order, ['ada', 'bob', 'ada', 'ada']);
  });
});
