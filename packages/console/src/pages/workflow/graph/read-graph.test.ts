import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { createNodeCatalogue } from '../document/node-catalogue.ts';
import type { Graph } from './graph.ts';
import { readGraph } from './read-graph.ts';

const catalogue = createNodeCatalogue({
  LoadImage: {
    input: { required: { image: [['a.png'], {}] } },
    output: ['IMAGE', 'MASK'],
    output_name: ['IMAGE', 'MASK'],
  },
  Blur: { input: { required: { image: ['IMAGE', {}], radius: ['INT', {}] } }, output: ['IMAGE'] },
});

const readIn = (document: unknown, scope: readonly string[] = []) =>
  readGraph(document, { scope, catalogue });

function read(document: unknown, scope?: readonly string[]): Graph {
  const graph = readIn(document, scope);
  assert.ok(graph);
  return graph;
}

const SUBGRAPH = '11111111-2222-4333-8444-555555555555';
const socket = (name: string, more: object = {}) => ({ name, type: 'IMAGE', ...more });
const file = {
  nodes: [
    { id: 1, type: 'LoadImage', pos: { 0: 10, 1: 20 }, size: { 0: 300, 1: 200 }, outputs: [socket('IMAGE')] },
    {
      id: 2,
      type: SUBGRAPH,
      pos: [400, 20],
      mode: 4,
      inputs: [socket('image', { link: 1 })],
      outputs: [socket('IMAGE')],
    },
    {
      id: 'three',
      type: 'Reroute',
      pos: [600, 20],
      inputs: [socket('', { link: 2 })],
      outputs: [socket('')],
    },
    {
      id: 4,
      type: 'MarkdownNote',
      pos: [0, 400],
      title: 'Read me',
      widgets_values: ['# Hello'],
      color: '#432',
    },
    { id: 5, type: 'PrimitiveNode', pos: [0, 600], flags: { collapsed: true } },
  ],
  // The second link names a slot that does not exist; the input has the right one.
  links: [[1, 1, 0, 2, 0, 'IMAGE'], [2, 2, 0, 'three', 7, '*'], [3, 1, 0, 99, 0, 'IMAGE'], 'nonsense'],
  groups: [{ title: 'Group', bounding: [0, 0, 500, 300], color: '#3f789e' }, { title: 'No size' }, null],
  extra: {
    reroutes: [
      { id: 1, pos: [350, 60] },
      { id: 2, parentId: 1, pos: [380, 80] },
    ],
    linkExtensions: [{ id: 1, parentId: 2 }],
  },
  definitions: {
    subgraphs: [
      {
        id: SUBGRAPH,
        name: 'Soften',
        inputNode: { id: -10, bounding: [-300, 5, 120, 60] },
        outputNode: { id: -20 },
        inputs: [socket('image', { linkIds: [1] })],
        outputs: [socket('IMAGE', { linkIds: [2] })],
        nodes: [
          {
            id: 4,
            type: 'ImageBlur',
            pos: [0, 0],
            inputs: [socket('image', { link: 1 })],
            outputs: [socket('IMAGE')],
          },
        ],
        links: [
          { id: 1, origin_id: -10, origin_slot: 0, target_id: 4, target_slot: 0, type: 'IMAGE' },
          { id: 2, origin_id: 4, origin_slot: 0, target_id: -20, target_slot: 0, type: 'IMAGE' },
        ],
      },
    ],
  },
};

describe('a file of the editor', () => {
  it('is read with its kinds of nodes, places, groups and reroutes', () => {
    const graph = read(file);
    assert.deepEqual(
      graph.nodes.map(({ id, kind, title }) => [id, kind, title]),
      [
        ['1', 'node', undefined],
        ['2', 'subgraph', 'Soften'],
        ['three', 'reroute', undefined],
        ['4', 'note', 'Read me'],
        ['5', 'primitive', undefined],
      ],
    );
    const [first] = graph.nodes;
    assert.deepEqual([first?.x, first?.y, first?.width, first?.height], [10, 20, 300, 200]);
    assert.equal(graph.nodes[4]?.isCollapsed, true);
    assert.deepEqual(
      graph.links.map(({ from, to, toSlot, type }) => [from, to, toSlot, type]),
      [
        ['1', '2', 0, 'IMAGE'],
        ['2', 'three', 0, 'IMAGE'],
      ],
    );
    assert.deepEqual(
      graph.links[0]?.via.map(({ x, y }) => [x, y]),
      [
        [350, 60],
        [380, 80],
      ],
    );
    assert.deepEqual(
      graph.groups.map(({ title, width, color }) => [title, width, color]),
      [['Group', 500, '#3f789e']],
    );
    assert.equal(graph.isUnplaced, false);
  });

  it('has the inside of a subgraph, with what leads in and out', () => {
    const graph = read(file, ['2']);
    assert.deepEqual(
      graph.nodes.map(({ id, runId, kind }) => [id, runId, kind]),
      [
        ['4', '2:4', 'node'],
        ['-10', '-10', 'subgraphInputs'],
        ['-20', '-20', 'subgraphOutputs'],
      ],
    );
    assert.equal(graph.nodes[1]?.x, -300);
    assert.deepEqual(
      graph.links.map(({ from, to }) => [from, to]),
      [
        ['-10', '4'],
        ['4', '-20'],
      ],
    );
    assert.equal(readIn(file, ['1']), undefined);
    assert.equal(readIn(file, ['2', '4']), undefined);
  });

  it('may be odd in every place', () => {
    const odd = {
      nodes: [
        null,
        [],
        { id: {}, type: 'A' },
        {
          id: 1,
          type: 'A',
          pos: ['x', Number.NaN],
          size: null,
          inputs: {},
          outputs: [null, 3],
          color: 'url(x)',
        },
        { id: 1, type: 'Twin' },
        { id: 2, type: 'B', pos: [1e99, -1e99], flags: [] },
      ],
      links: [[1], [1, 1, 0, 1, 0], { id: 5 }, [2, 1, 'x', 2, {}]],
      groups: { a: 1 },
      extra: { reroutes: [{ id: 1, parentId: 1, pos: [1, 1] }], linkExtensions: [{ id: 1, parentId: 1 }] },
      definitions: { subgraphs: [null, { id: 3 }] },
    };
    const graph = read(odd);
    assert.deepEqual(
      graph.nodes.map(({ type, x, color }) => [type, x, color]),
      [
        ['A', 0, undefined],
        ['B', 1_000_000, undefined],
      ],
    );
    assert.deepEqual(graph.links, []);
    for (const nothing of [null, 3, 'x', []]) assert.equal(readIn(nothing), undefined);
  });

  it('leaves out the upload buttons that the editor writes as inputs', () => {
    const inputs = [socket('image', { widget: { name: 'image' } }), { name: 'upload', type: 'IMAGEUPLOAD' }];
    const { nodes } = read({ nodes: [{ id: 1, type: 'LoadImage', inputs }], links: [] });
    assert.deepEqual(
      nodes[0]?.inputs.map(({ name }) => name),
      ['image'],
    );
  });
});

describe('the API format', () => {
  it('is read with sockets from the node types and from the links', () => {
    const graph = read({
      a: { class_type: 'LoadImage', inputs: { image: 'a.png' } },
      b: { class_type: 'Blur', inputs: { image: ['a', 0], radius: 3 }, _meta: { title: 'Soft' } },
      c: { class_type: 'Unknown', inputs: { x: ['b', 2], y: ['gone', 0], list: [1, 2, 3] } },
      broken: 7,
    });
    assert.deepEqual(
      graph.nodes.map(({ id, inputs, outputs }) => [
        id,
        inputs.map(({ name }) => name),
        outputs.map(({ type }) => type),
      ]),
      [
        ['a', [], ['IMAGE', 'MASK']],
        ['b', ['image'], ['IMAGE', '*', '*']],
        ['c', ['x'], []],
      ],
    );
    assert.deepEqual(
      graph.links.map(({ from, fromSlot, to, toSlot, type }) => [from, fromSlot, to, toSlot, type]),
      [
        ['a', 0, 'b', 0, 'IMAGE'],
        ['b', 2, 'c', 0, '*'],
      ],
    );
    assert.equal(graph.isUnplaced, true);
  });
});
