import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { isEditorWorkflow, toApiFormat, toJson, UnreadableWorkflow } from '../index.ts';
import { catalogue, EMPTY, type LinkOf, node, SAVE, subgraph, workflow } from './test/workflows.ts';

function problemsOf(saved: unknown): readonly string[] {
  try {
    toApiFormat(saved, { catalogue });
    return [];
  } catch (error) {
    assert.ok(error instanceof UnreadableWorkflow, String(error));
    return error.problems.map(({ message }) => message);
  }
}

const id = (index: number) => `${String(index).padStart(8, '0')}-0000-4000-8000-000000000000`;

describe('what cannot be converted', () => {
  it('is told with the node and what to do', () => {
    const missing = workflow([node(5, id(1), { title: 'Mine' })], []);
    assert.throws(
      () => toApiFormat(missing, { catalogue }),
      (error) => {
        assert.ok(error instanceof UnreadableWorkflow);
        assert.deepEqual(error.problems, [
          {
            message: `Node 5 (${id(1)}, “Mine”) is a subgraph that the file does not define. Open the workflow in the editor, put the subgraph in again and save it.`,
            node: { id: '5', type: id(1), title: 'Mine' },
          },
        ]);
        return true;
      },
    );
  });

  const inside = (nodes: readonly unknown[]) => ({
    definitions: { subgraphs: [subgraph(id(1), { inputs: [], nodes, links: [] })] },
  });
  const wrong: readonly (readonly [name: string, saved: unknown, problem: RegExp])[] = [
    ['no workflow at all', { 1: { class_type: 'EmptyImage' } }, /^This is not a workflow of the editor/],
    ['an entry that is not a node', workflow([null], []), /^Entry 0 of “nodes” is not a node/],
    [
      'such an entry in a subgraph',
      workflow([node(1, id(1))], [], inside([{ id: 3 }])),
      /^Entry 0 of “nodes” of the subgraph “A subgraph” is not a node/,
    ],
    [
      'two nodes with one id',
      workflow([node(1, 'EmptyImage'), node('1', 'EmptyImage')], []),
      /^Node 1 \(EmptyImage\) has the id of another node\./,
    ],
    [
      'a node with the id of an inner node',
      workflow([node('1:2', 'EmptyImage'), node(1, id(1))], [], inside([node(2, 'EmptyImage')])),
      /^Node 1:2 \(EmptyImage\) has the id of another node\./,
    ],
    ['a group node', workflow([node(1, 'workflow>Old')], []), /^Node 1 \(workflow>Old\) is a group node/],
    [
      'a subgraph that contains itself',
      workflow([node(1, id(1))], [], inside([node(2, id(1), { title: 'Me' })])),
      /^Node 1:2 \(0.*, “Me”\) is a subgraph that contains itself\./,
    ],
  ];
  for (const [name, saved, problem] of wrong) {
    it(`is ${name}`, () => {
      const [first = '', ...others] = problemsOf(saved);
      assert.match(first, problem);
      assert.deepEqual(others, []);
    });
  }

  it('is a circle of nodes that only pass values on', () => {
    for (const [type, mode] of [
      ['Reroute', 0],
      ['ImageBlur', 4],
    ] as const) {
      const round = (at: number) => ({ inputs: [[at, '', 'IMAGE'] as const], outputs: ['IMAGE'], mode });
      const saved = workflow(
        [node(1, type, round(2)), node(2, type, round(1)), node(3, 'SaveImage', SAVE)],
        [
          [1, 1, 0, 2, 0],
          [2, 2, 0, 1, 0],
          [9, 2, 0, 3, 0],
        ],
      );
      assert.deepEqual(problemsOf(saved), [
        `Node 1 (${type}) passes on what it gets from itself. Remove one of the links of that circle.`,
      ]);
    }
  });

  it('is not a circle of nodes that run: validation tells that', () => {
    const blur = (at: number) => ({ inputs: [[at, 'image', 'IMAGE'] as const], outputs: ['IMAGE'] });
    const links: LinkOf[] = [
      [1, 1, 0, 2, 0],
      [2, 2, 0, 1, 0],
    ];
    assert.deepEqual(
      problemsOf(workflow([node(1, 'ImageBlur', blur(2)), node(2, 'ImageBlur', blur(1))], links)),
      [],
    );
  });

  it('has at most fifty problems, however much is wrong', () => {
    assert.equal(problemsOf(workflow(Array.from({ length: 1000 }).fill(0), [])).length, 50);
  });
});

const TOO_LARGE = /^The workflow is too large/;

describe('a workflow that grows without end', () => {
  it('by subgraphs that use the next one twice is refused', () => {
    const depth = 60;
    const subgraphs = Array.from({ length: depth }, (_, level) => {
      const next = level + 1 < depth ? id(level + 1) : 'EmptyImage';
      return subgraph(id(level), {
        inputs: [],
        nodes: [node(1, next, EMPTY), node(2, next, EMPTY)],
        links: [],
      });
    });
    const [message = ''] = problemsOf(workflow([node(1, id(0))], [], { definitions: { subgraphs } }));
    assert.match(message, TOO_LARGE);
  });

  it('by subgraphs inside each other is refused', () => {
    const subgraphs = Array.from({ length: 5000 }, (_, level) =>
      subgraph(id(level), { inputs: [], nodes: [node(1, id(level + 1))], links: [] }),
    );
    const [message = ''] = problemsOf(workflow([node(1, id(0))], [], { definitions: { subgraphs } }));
    assert.match(message, /is a subgraph inside 64 others, which is the limit/);
  });

  it('by one long text in many places is refused', () => {
    const count = 200;
    const text = node(0, 'PrimitiveNode', { outputs: ['STRING'], values: ['x'.repeat(1_000_000)] });
    const saves = Array.from({ length: count }, (_, index) =>
      node(index + 1, 'SaveImage', { inputs: [[index, 'filename_prefix', 'STRING', true]] }),
    );
    const links = Array.from({ length: count }, (_, index): LinkOf => [index, 0, 0, index + 1, 0]);
    const [message = ''] = problemsOf(workflow([text, ...saves], links));
    assert.match(message, TOO_LARGE);
  });

  it('by a long chain that many nodes read is refused', () => {
    const count = 5000;
    const chain = Array.from({ length: count }, (_, index) =>
      node(index, 'Reroute', { inputs: [[index, '', '*']], outputs: ['*'] }),
    );
    const readers = Array.from({ length: count }, (_, index) =>
      node(count + index, 'SaveImage', { inputs: [[count, 'images', 'IMAGE']] }),
    );
    const links = Array.from({ length: count }, (_, index): LinkOf => [index + 1, index, 0, index + 1, 0]);
    const [message = ''] = problemsOf(workflow([...chain, ...readers], links));
    assert.match(message, TOO_LARGE);
  });

  it('is not one that is just long', () => {
    const count = 12_000;
    const nodes = Array.from({ length: count }, (_, index) =>
      node(index, index === 0 ? 'EmptyImage' : index % 2 ? 'Reroute' : 'ImageBlur', {
        inputs: [[index, 'image', 'IMAGE']],
        outputs: ['IMAGE'],
      }),
    );
    const links = Array.from({ length: count }, (_, index): LinkOf => [index + 1, index, 0, index + 1, 0]);
    const { prompt } = toApiFormat(workflow(nodes, links), { catalogue });
    assert.equal(Object.keys(prompt).length, count / 2);
  });
});

/** Words and numbers that mean something here, so that junk gets further than its first check. */
const NUMBERS = [0, 1, 2, 3, 4, -1, -10, -20, 0.5, 10n];
const TYPES =
  'Reroute PrimitiveNode Note EmptyImage ImageBlur SaveImage ImageAddNoise CustomCombo ResizeImageMaskNode';
const NAMES =
  'a b 1 -10 2:1 * IMAGE INT seed image images.image0 fixed __proto__ constructor BatchImagesNode';
const word = fc.constantFrom<unknown>(
  ...NUMBERS,
  null,
  true,
  '',
  '1: seed',
  ...`${TYPES} ${NAMES}`.split(' '),
);
const key = fc.constantFrom('name', 'id', 'type', 'link', 'widget', '__value__', 'seed', '__proto__');
const { any } = fc.letrec<{ any: unknown }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 2 },
    word,
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(key, tie('any'), { maxKeys: 3 }),
  ),
}));
const type = fc.oneof(word, fc.constantFrom('a', 'b'));
const slot = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ name: word, type: word, link: word, widget: any }, { requiredKeys: [] }),
  },
  { weight: 1, arbitrary: any },
);
const anyNode = fc.record(
  {
    id: word,
    type,
    title: any,
    mode: fc.constantFrom(0, 2, 4, '4', null),
    inputs: fc.oneof(fc.array(slot, { maxLength: 3 }), any),
    outputs: fc.oneof(fc.array(slot, { maxLength: 2 }), any),
    widgets_values: any,
    widgets_values_named: any,
    properties: fc.oneof(
      fc.record({ proxyWidgets: fc.oneof(fc.array(fc.tuple(word, word, word), { maxLength: 3 }), any) }),
      any,
    ),
  },
  { requiredKeys: ['id', 'type'] },
);
const anyLink = fc.oneof(
  fc.tuple(word, word, word, word, word, word),
  fc.record({ id: word, origin_id: word, origin_slot: word, target_id: word, target_slot: word }),
  any,
);
const graphParts = {
  nodes: fc.uniqueArray(fc.oneof({ weight: 9, arbitrary: anyNode }, { weight: 1, arbitrary: any }), {
    maxLength: 5,
    selector: (value) =>
      typeof value === 'object' && value !== null && 'id' in value
        ? `${typeof value.id} ${toJson(value.id)}`
        : value,
  }),
  links: fc.oneof(fc.array(anyLink, { maxLength: 8 }), any),
  inputs: fc.oneof(fc.array(fc.record({ name: word }), { maxLength: 3 }), any),
  outputs: fc.oneof(
    fc.array(fc.record({ linkIds: fc.array(word, { maxLength: 2 }) }), { maxLength: 2 }),
    any,
  ),
};
const anyWorkflow = fc.record({
  ...graphParts,
  version: fc.constant(1),
  definitions: fc.oneof(
    fc.record({
      subgraphs: fc.array(fc.record({ ...graphParts, id: fc.constantFrom('a', 'b') }), { maxLength: 3 }),
    }),
    any,
  ),
});

describe('any JSON', () => {
  it('is converted or refused with problems, and nothing else is thrown', () => {
    let converted = 0;
    fc.assert(
      fc.property(fc.oneof({ weight: 8, arbitrary: anyWorkflow }, { weight: 1, arbitrary: any }), (saved) => {
        const problems = problemsOf(saved);
        assert.ok(problems.every((problem) => problem.length < 1000));
        if (!isEditorWorkflow(saved)) assert.equal(problems.length, 1);
        if (problems.length === 0) converted++;
      }),
      { numRuns: 1000 },
    );
    assert.ok(converted > 100, `only ${converted} were converted`);
  });
});
