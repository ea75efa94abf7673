import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  createCatalogue,
  createFolderFiles,
  defineNode,
  fileCombo,
  link,
  output,
  type Validation,
  validatePrompt,
} from '../index.ts';
import { pack } from '../test/pack.ts';

let listings = 0;
const nodes = [
  defineNode({
    type: 'ShownAdd',
    category: 'test',
    outputNode: true,
    inputs: { a: link('INT') },
    outputs: [output('INT')],
    run: ({ a }) => [a],
  }),
  defineNode({
    type: 'Pick',
    category: 'test',
    outputNode: true,
    inputs: {
      file: fileCombo({ folder: 'input' }),
    },
    outputs: [output('STRING')],
    run: ({ file }) => [file],
  }),
];
const catalogue = createCatalogue([pack, { name: 'more', nodes }]);
const files = {
  ...createFolderFiles({ input: 'none', output: 'none', temp: 'none' }),
  async list() {
    listings += 1;
    return await Promise.resolve(
      Array.from({ length: 5000 }, (_, index) => `a-file-of-the-user-${index}.png`),
    );
  },
};

type Node = { readonly class_type: string; readonly inputs: Readonly<Record<string, unknown>> };

/** Quadratic time would take minutes for each of these, and recursion would overflow the stack. */
const MANY = 12_000;

async function validate(make: (index: number) => Node, count = MANY): Promise<Validation> {
  const entries = Array.from({ length: count }, (_, index) => [`n${index}`, make(index)]);
  return await validatePrompt(Object.fromEntries(entries), { catalogue, files });
}

function sizeOf(result: Validation): number {
  return JSON.stringify(result.ok ? result.node_errors : result).length;
}

const chained = (class_type: string, first: Node) => (index: number) =>
  index === 0 ? first : { class_type, inputs: { a: [`n${index - 1}`, 0] } };

describe('a large graph', () => {
  it('may be one chain in which every node is an output', async () => {
    const result = await validate(chained('ShownAdd', { class_type: 'Number', inputs: { value: 1 } }));
    assert.equal(result.ok && result.targets.length, MANY - 1);
  });

  it('may be wrong at its first node, which names the first of the outputs that need it', async () => {
    const result = await validate(chained('ShownAdd', { class_type: 'Number', inputs: {} }));
    assert.ok(!result.ok);
    assert.deepEqual(Object.keys(result.node_errors), ['n0']);
    const { dependent_outputs: dependents = [] } = result.node_errors['n0'] ?? {};
    assert.deepEqual(
      dependents,
      Array.from({ length: 100 }, (_, index) => `n${index + 1}`),
    );
  });

  it('may have a link to nowhere at each of its nodes, of which a thousand are listed', async () => {
    const result = await validate((index) =>
      index % 2 === 0
        ? { class_type: 'Add', inputs: { a: ['nowhere', 0] } }
        : { class_type: 'Show', inputs: { value: [`n${index - 1}`, 0] } },
    );
    assert.ok(!result.ok);
    const listed = Object.entries(result.node_errors);
    assert.equal(listed.length, 1000);
    for (const [id, { dependent_outputs: dependents }] of listed) {
      assert.deepEqual(dependents, [`n${Number(id.slice(1)) + 1}`]);
    }
  });

  it('may be one cycle, of which every node names the beginning and the length', async () => {
    const result = await validate((index) => ({
      class_type: 'ShownAdd',
      inputs: { a: [`n${(index + 1) % MANY}`, 0] },
    }));
    assert.ok(!result.ok);
    const [error] = Object.values(result.node_errors)[0]?.errors ?? [];
    assert.match(error?.details ?? '', /^n0 \(ShownAdd\) -> n1 .* -> n19 \(ShownAdd\) -> … \(12000 nodes\)$/);
    assert.deepEqual(
      error?.extra_info['cycle_nodes'],
      Array.from({ length: 20 }, (_, index) => `n${index}`),
    );
    assert.ok(sizeOf(result) < 2e6);
  });

  it('may be a cycle with a way back from every node', async () => {
    const result = await validate((index) => ({
      class_type: index === 0 ? 'ShownAdd' : 'Add',
      inputs: { a: [`n${(index + 1) % MANY}`, 0], b: ['n0', 0] },
    }));
    assert.equal(result.ok, false);
  });

  it('may name all of its nodes as targets', async () => {
    const ids = Array.from({ length: MANY }, (_, index) => `n${index}`);
    const graph = Object.fromEntries(ids.map((id) => [id, { class_type: 'ShownAdd', inputs: {} }]));
    const result = await validatePrompt(graph, { catalogue, files, targets: ids });
    assert.equal(result.ok, false);
  });

  it('lists the files of a combo once', async () => {
    listings = 0;
    const result = await validate(
      () => ({ class_type: 'Pick', inputs: { file: 'a-file-of-the-user-4999.png' } }),
      1000,
    );
    assert.ok(result.ok);
    assert.equal(listings, 1);
  });

  it('is answered in a few megabytes when long values are wrong at each of its nodes', async () => {
    const long = 'long'.repeat(5000);
    const deep: unknown = JSON.parse(`${'['.repeat(900)}"${long}"${']'.repeat(900)}`);
    const wrong: readonly Node[] = [
      { class_type: 'Number', inputs: { value: long } },
      { class_type: 'Mode', inputs: { mode: { [long]: [long, Array(1000).fill(long)] } } },
      { class_type: 'Number', inputs: { value: { __value__: deep } } },
      { class_type: 'Add', inputs: { a: [long, 0] } },
      { class_type: 'Pick', inputs: { file: ['n0', 0] } },
      { class_type: 'Number', inputs: { value: [long, long, long] } },
    ];
    const result = await validate(
      (index) =>
        index % 2 === 0
          ? (wrong[(index / 2) % wrong.length] ?? { class_type: 'Number', inputs: {} })
          : { class_type: 'Show', inputs: { value: [`n${index - 1}`, 0] } },
      2000,
    );
    assert.ok(!result.ok);
    assert.equal(Object.keys(result.node_errors).length, 1000);
    assert.ok(sizeOf(result) < 6e6, String(sizeOf(result)));
  });
});
