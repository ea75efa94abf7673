import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { loadWorkflow, type NodeTypes, type Workflow, WorkflowInputError } from '@atelier/sdk';
import { type RunningServer, startServer } from '@atelier/testing';

import { newClient, patience } from '../support/sdk.ts';

const SOFT = '11111111-2222-4333-8444-555555555555';
const TWICE = '11111111-2222-4333-8444-666666666666';
const BOTH = '11111111-2222-4333-8444-777777777777';

type Link = readonly [id: number, from: number, slot: number, to: number, slot: number];

function node(id: number, type: string, more: object = {}): object {
  return { id, type, mode: 0, inputs: [], outputs: [{ name: 'IMAGE', type: 'IMAGE', links: [] }], ...more };
}

function socket(name: string, link: number | null): object {
  return { name, type: 'IMAGE', link };
}

function widget(name: string, link: number | null = null): object {
  return { name, type: 'INT', link, widget: { name } };
}

function subgraph(
  id: string,
  name: string,
  inputs: readonly string[],
  nodes: object[],
  links: readonly Link[],
): object {
  const objects = links.map(([link, origin_id, origin_slot, target_id, target_slot]) => {
    return { id: link, origin_id, origin_slot, target_id, target_slot, type: 'IMAGE' };
  });
  return {
    id,
    name,
    inputs: inputs.map((input) => ({ name: input, type: 'IMAGE' })),
    outputs: [{ name: 'IMAGE', type: 'IMAGE', linkIds: [links.at(-1)?.[0]] }],
    nodes,
    links: objects,
  };
}

const blur = (id: number, links: readonly [number, number | null], more: object = {}) =>
  node(id, 'ImageBlur', {
    inputs: [socket('image', links[0]), widget('blur_radius', links[1]), widget('sigma')],
    widgets_values: [3, 0.5],
    ...more,
  });

const soft = subgraph(
  SOFT,
  'Soft',
  ['image', 'radius'],
  [blur(4, [1, 2], { title: 'Inner blur' })],
  [
    [1, -10, 0, 4, 0],
    [2, -10, 1, 4, 1],
    [3, 4, 0, -20, 0],
  ],
);
const twice = subgraph(
  TWICE,
  'Twice',
  ['image'],
  [
    node(1, SOFT, { inputs: [socket('image', 1), widget('radius')], widgets_values: [5] }),
    node(2, SOFT, { inputs: [socket('image', 2), widget('radius')], widgets_values: [6] }),
  ],
  [
    [1, -10, 0, 1, 0],
    [2, 1, 0, 2, 0],
    [3, 2, 0, -20, 0],
  ],
);
/** One radius for two nodes. */
const both = subgraph(
  BOTH,
  'Both',
  ['image', 'radius'],
  [blur(4, [1, 2]), blur(5, [4, 3], { title: 'Second' })],
  [
    [1, -10, 0, 4, 0],
    [2, -10, 1, 4, 1],
    [3, -10, 1, 5, 1],
    [4, 4, 0, 5, 0],
    [5, 5, 0, -20, 0],
  ],
);

/** A picture through 2 (Twice), 57 (Soft) and 58 (Both). */
const FILE = {
  version: 0.4,
  nodes: [
    node(1, 'EmptyImage', { widgets_values: [32, 32, 1, 0] }),
    node(2, TWICE, { inputs: [socket('image', 1)] }),
    node(57, SOFT, {
      inputs: [socket('image', 2), widget('radius')],
      widgets_values: [0.75, 9],
      properties: {
        proxyWidgets: [
          ['4', 'sigma'],
          ['-1', 'radius'],
        ],
      },
    }),
    node(58, BOTH, { inputs: [socket('image', 3), widget('radius')], widgets_values: { radius: 7 } }),
    node(9, 'PreviewImage', { inputs: [socket('images', 4)] }),
  ],
  links: [
    [1, 1, 0, 2, 0, 'IMAGE'],
    [2, 2, 0, 57, 0, 'IMAGE'],
    [3, 57, 0, 58, 0, 'IMAGE'],
    [4, 58, 0, 9, 0, 'IMAGE'],
  ],
  definitions: { subgraphs: [soft, twice, both] },
};

const RADII = ['2:1:4', '2:2:4', '57:4', '58:4', '58:5'];

describe('nodes inside subgraphs of a file of the editor', () => {
  let server: RunningServer;
  let atelier: Awaited<ReturnType<typeof newClient>>;
  let nodeTypes: NodeTypes;
  before(async () => {
    server = await startServer();
    atelier = await newClient(server);
    nodeTypes = await atelier.nodeTypes.list();
  });
  after(async () => await server?.[Symbol.asyncDispose]());

  const load = (): Workflow => loadWorkflow(FILE, { nodeTypes });

  /** Radius and sigma of each blur, as the server runs them, after which the client must say the same. */
  async function valuesAfter(change: (workflow: Workflow) => void): Promise<Record<string, unknown>> {
    const workflow = load();
    change(workflow);
    const { detail } = await atelier.jobs.run(workflow, { signal: patience() });
    const prompt = detail.workflow.prompt as Record<string, { inputs: Record<string, unknown> }>;
    assert.deepEqual(Object.keys(prompt).toSorted(), ['1', '9', ...RADII].toSorted());
    return Object.fromEntries(
      RADII.map((id) => {
        const { blur_radius, sigma } = prompt[id]?.inputs ?? {};
        assert.deepEqual(
          [workflow.get(`${id}.blur_radius`), workflow.get(`${id}.sigma`)],
          [blur_radius, sigma],
          id,
        );
        return [id, [blur_radius, sigma]];
      }),
    );
  }

  const UNCHANGED = {
    '2:1:4': [5, 0.5],
    '2:2:4': [6, 0.5],
    '57:4': [9, 0.75],
    '58:4': [7, 0.5],
    '58:5': [7, 0.5],
  };

  test('have the ids and values that the server gives them', async () => {
    assert.deepEqual(await valuesAfter(() => {}), UNCHANGED);
  });

  test('are set by id, for one use of a subgraph only', async () => {
    const set = await valuesAfter((workflow) => {
      workflow.set('2:1:4.blur_radius', 2).set('2:2:4.sigma', 1).set('57:4.sigma', 2).set('58:5.sigma', 3);
      workflow.set('57:4.blur_radius', 8).set('57:4.blur_radius', 4);
    });
    assert.deepEqual(set, {
      '2:1:4': [2, 0.5],
      '2:2:4': [6, 1],
      '57:4': [4, 2],
      '58:4': [7, 0.5],
      '58:5': [7, 3],
    });
  });

  test('are set through the inputs of their subgraph node, and by title', async () => {
    const set = await valuesAfter((workflow) => {
      workflow.set('58.radius', 1).set('2:2.radius', 11).set('57.radius', 12).set('Second.sigma', 4);
    });
    assert.deepEqual(set, {
      ...UNCHANGED,
      '2:2:4': [11, 0.5],
      '57:4': [12, 0.75],
      '58:4': [1, 0.5],
      '58:5': [1, 4],
    });
  });

  test('are never set by accident: what several share, or are called, is refused with the way out', () => {
    const refused = (input: string, pattern: RegExp): void => {
      assert.throws(
        () => load().set(input, 1),
        (error) => error instanceof WorkflowInputError && pattern.test(error.message),
        input,
      );
    };
    refused('58:5.blur_radius', /in common with 1 more.+Set 58\.radius/);
    refused('Inner blur.sigma', /3 nodes are called Inner blur\. .+2:1:4\.sigma, 2:2:4\.sigma, 57:4\.sigma/);
    refused('57:5.sigma', /no node 57:5/);
    refused('57:4.sigm', /Node 57:4 \(ImageBlur\) has no input sigm\. Did you mean sigma/);
  });

  test('may hold each other in circles, or be too many, without the client hanging', () => {
    const circle = subgraph(SOFT, 'Circle', [], [node(1, SOFT)], []);
    const workflow = { nodes: [node(1, SOFT)], links: [], definitions: { subgraphs: [circle] } };
    assert.deepEqual(
      loadWorkflow(workflow).nodes.map(({ id }) => id),
      ['1', '1:1'],
    );
    const subgraphs = Array.from({ length: 40 }, (_, index) =>
      subgraph(`s${index}`, 'Bomb', [], [node(1, `s${index + 1}`), node(2, `s${index + 1}`)], []),
    );
    const bomb = { nodes: [node(1, 's0')], links: [], definitions: { subgraphs } };
    assert.throws(() => loadWorkflow(bomb), /too many nodes/);
  });
});
