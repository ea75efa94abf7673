import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import {
  createCatalogue,
  describeNodes,
  isEditorWorkflow,
  type NodeCatalogue,
  readNodeDescriptions,
  toApiFormat,
  toJson,
  toObjectInfo,
  validatePrompt,
} from '@atelier/engine';
import { pack } from './index.ts';
import { nodeContext } from './test/run-node.ts';

const catalogue = createCatalogue([pack]);
const described = readNodeDescriptions(describeNodes(catalogue));

describe('the description of the built-in node types', () => {
  it('needs no code of theirs: every check is one that the engine makes', () => {
    const custom = catalogue.all().filter(({ validate }) => validate?.check.kind === 'custom');
    assert.deepEqual(custom, []);
  });

  it('gives the same object_info as their declarations, to the byte', async () => {
    using context = nodeContext();
    const input = join(context.folder, 'input');
    mkdirSync(input, { recursive: true });
    for (const name of ['b.png', 'a.JPG', 'c.wav', 'd.mp4', 'e.txt']) writeFileSync(join(input, name), '');
    const infoOf = async (of: NodeCatalogue) => toJson(await toObjectInfo(of, context.files));
    assert.equal(await infoOf(described), await infoOf(catalogue));
  });

  /** Values that are right for some inputs and wrong for others, so that every kind of problem comes up. */
  const VALUES = [0, -1, 8, 2n ** 64n - 1n, 2n ** 64n, 0.5, 1e300, 'a.png', 'nope', '', true, null, { a: 1 }];

  it('gives the same verdicts as their declarations', async () => {
    using context = nodeContext();
    const { files } = context;
    let problems = 0;
    for (const { type, inputs } of catalogue.all()) {
      for (const value of VALUES) {
        const prompt = () => ({
          '1': {
            class_type: type,
            inputs: Object.fromEntries(Object.keys(inputs).map((name) => [name, value])),
          },
          '2': { class_type: 'PreviewAny', inputs: { source: ['1', 0] } },
        });
        const [expected, found] = await Promise.all(
          [catalogue, described].map(async (of) =>
            toJson(await validatePrompt(prompt(), { catalogue: of, files })),
          ),
        );
        assert.equal(found, expected, type);
        if (expected?.includes('"errors"')) problems += 1;
      }
    }
    assert.ok(problems > 500, String(problems));
  });

  it('reads workflows of the editor as their declarations do', () => {
    for (const { type, inputs } of catalogue.all()) {
      const node = { id: 1, type, inputs: [], outputs: [], widgets_values: Object.keys(inputs).map(() => 5) };
      const workflow = { nodes: [node], links: [], version: 0.4 };
      assert.ok(isEditorWorkflow(workflow));
      const read = (of: NodeCatalogue) => toJson(toApiFormat(workflow, { catalogue: of }).prompt);
      assert.equal(read(described), read(catalogue));
    }
  });
});
