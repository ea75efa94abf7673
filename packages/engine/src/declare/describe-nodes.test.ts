import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  autogrow,
  combo,
  createCatalogue,
  createFolderFiles,
  DescriptionError,
  defineNode,
  describeNodes,
  dynamicCombo,
  fileCombo,
  float,
  int,
  link,
  matchOutput,
  matchType,
  type NodeCatalogue,
  optional,
  output,
  readNodeDescriptions,
  toJson,
  toObjectInfo,
  validatePrompt,
} from '../index.ts';
import { pack as oddPack } from '../test/odd-pack.ts';
import { pack } from '../test/pack.ts';

const files = createFolderFiles({ input: 'none', output: 'none', temp: 'none' });

const numbers = defineNode({
  type: 'Numbers',
  category: 'test',
  outputNode: true,
  inputs: {
    seed: int({ min: -(2n ** 63n), max: 2n ** 64n - 1n }),
    // As a double it is 2^64, which prints as a float and not as an integer.
    large: float({ max: 2 ** 64, step: 1e-7, default: 1 }),
    open: float({ min: -0, max: Number.POSITIVE_INFINITY }),
  },
  outputs: [output('INT', { tooltip: 'It.' }), matchOutput('t')],
  validate: { inputs: ['large'], takesTypes: true, check: () => true },
  run: () => [0, 0],
});
const nested = defineNode({
  type: 'Nested',
  category: 'test',
  outputNode: true,
  inputs: {
    shape: dynamicCombo({ square: { side: int(), more: dynamicCombo({ a: {}, b: { c: float() } }) } }),
    several: autogrow(combo(['a', 'b']), { names: ['x', 'y'], min: 1 }),
    any: optional(matchType('t', { allowed: 'INT' })),
    file: fileCombo({ folder: 'output', endings: ['png'] }),
    link: link('IMAGE', { lazy: true, rawLink: true }),
  },
  hidden: { prompt: 'PROMPT' },
  outputs: [],
  run: () => [],
});

describe('a description of node types', () => {
  const catalogue = createCatalogue([
    pack,
    oddPack,
    { name: 'mine', nodes: [numbers, nested, { ...numbers, type: 'Number' }] },
  ]);
  const described = readNodeDescriptions(describeNodes(catalogue));

  it('says what object_info says, in the same order, with the packs they come from', async () => {
    const infoOf = async (of: NodeCatalogue) => toJson(await toObjectInfo(of, files));
    assert.equal(await infoOf(described), await infoOf(catalogue));
    assert.equal(described.packOf('Number')?.name, 'mine');
    assert.equal(described.packOf('Add')?.name, 'engine-test');
  });

  it('keeps numbers exact, and floats apart from integers', async () => {
    assert.match(describeNodes(catalogue), /"max":18446744073709551615\b/);
    for (const inputs of [
      { seed: 2n ** 64n - 1n, large: 2 ** 64, open: 0 },
      { seed: 2n ** 64n, large: 2 ** 65, open: 1e308 },
      { seed: -(2n ** 63n) - 1n, large: 0, open: -1 },
    ]) {
      const validationBy = async (of: NodeCatalogue) =>
        toJson(
          await validatePrompt(
            { 1: { class_type: 'Numbers', inputs: { ...inputs } } },
            { catalogue: of, files, askCheck: async () => await Promise.resolve(true) },
          ),
        );
      assert.equal(await validationBy(described), await validationBy(catalogue));
    }
  });

  it('says of a check that is code only that there is one', () => {
    const check = { inputs: ['large'], takesTypes: true, check: { kind: 'custom' } };
    assert.deepEqual(described.get('Numbers')?.validate, check);
    assert.ok(!('run' in (described.get('Numbers') ?? {})));
  });

  it('is described as it was read', () => {
    assert.equal(describeNodes(described), describeNodes(catalogue));
  });

  const SOUND = { pack: 'p', type: 'A', title: 'A', category: 'c', inputs: {}, outputs: [] };
  const input = (one: unknown) => ({ ...SOUND, inputs: { a: one } });
  const plain = { optional: false, options: {} };
  const REFUSED: readonly (readonly [what: string, described: readonly unknown[], why: RegExp])[] = [
    ['null', [null], /node 1 is not an object/],
    ['a node that is a text', ['A'], /node 1 is not an object/],
    ['a node without a pack', [{ ...SOUND, pack: 5 }], /node 1 \(A\): `pack` must be a text/],
    ['a node without a type', [{ ...SOUND, type: '' }], /node 1 \(\): `type` must be a name/],
    ['a second node that is wrong', [SOUND, { ...SOUND, type: 'B', title: 5 }], /node 2 \(B\): `title`/],
    ['an input of no kind', [input({ ...plain, kind: 'odd' })], /the input `a` is not an input/],
    [
      'a bound that is null',
      [input({ ...plain, kind: 'int', options: { min: null } })],
      /the input `a` is not an input/,
    ],
    [
      'a folder of the machine',
      [input({ ...plain, kind: 'combo', style: 'list', choices: { folder: '/etc' } })],
      /the input `a` is not an input/,
    ],
    [
      'a wrong choice within an autogrow',
      [
        input({
          ...plain,
          kind: 'autogrow',
          names: [],
          min: 0,
          item: { ...plain, kind: 'dynamicCombo', choices: { b: null } },
        }),
      ],
      /the inputs of `a.item` must be an object/,
    ],
    [
      'an unknown check',
      [{ ...SOUND, validate: { inputs: 'all', check: { kind: 'x' } } }],
      /`validate` must be/,
    ],
    [
      'too many nodes',
      Array.from({ length: 20_001 }, () => SOUND),
      /20001 node types, and 20000 is the limit/,
    ],
  ];
  for (const [what, wrong, why] of REFUSED) {
    it(`is refused for ${what}, by name`, () => {
      assert.throws(
        () => readNodeDescriptions(wrong.map((node) => JSON.stringify(node)).join('\n')),
        (error) => error instanceof DescriptionError && why.test(error.message),
      );
    });
  }

  it('is refused when it is not JSON, too deep or too long', () => {
    for (const text of ['', '{"type":[', '['.repeat(1e6), ' '.repeat(32 * 2 ** 20 + 1)]) {
      assert.throws(() => readNodeDescriptions(text), DescriptionError);
    }
  });
});
