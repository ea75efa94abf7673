import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { toApiFormat } from '../index.ts';
import {
  catalogue,
  EMPTY,
  EMPTY_INPUTS,
  inputsOf,
  linkObjects,
  type NodeOptions,
  node,
  SAVE,
  savedFrom,
  subgraph,
  workflow,
} from './test/workflows.ts';

const SOFT = '11111111-2222-4333-8444-555555555555';
const TWICE = '11111111-2222-4333-8444-666666666666';

/** Blurs a picture, with the radius as an input that is a widget. */
const soft = subgraph(SOFT, {
  inputs: ['image', 'radius'],
  nodes: [
    node(4, 'ImageBlur', {
      inputs: [
        [1, 'image', 'IMAGE'],
        [2, 'blur_radius', 'INT', true],
        [null, 'sigma', 'FLOAT', true],
      ],
      outputs: ['IMAGE'],
      values: [3, 0.5],
      title: 'Inner blur',
    }),
  ],
  links: [
    [1, -10, 0, 4, 0],
    // A slot as in files that some inputs were left out of.
    [2, -10, 1, 4, 7],
    [3, 4, 0, -20, 0],
  ],
});

/** Uses that subgraph as its nodes 1 and 2, one after the other. */
const twice = subgraph(TWICE, {
  inputs: ['picture', 'first radius'],
  nodes: [
    node(1, SOFT, {
      inputs: [
        [1, 'image', 'IMAGE'],
        [4, 'radius', 'INT', true],
      ],
      outputs: ['IMAGE'],
      values: [5],
    }),
    node(2, SOFT, { inputs: [[2, 'image', 'IMAGE']], outputs: ['IMAGE'], values: [6] }),
  ],
  links: [
    [1, -10, 0, 1, 0],
    [4, -10, 1, 1, 1],
    [2, 1, 0, 2, 0],
    [3, 2, 0, -20, 0],
  ],
});

/** A picture, a subgraph node 2, and what saves what comes of it. */
function around(type: string, options: NodeOptions, more: readonly unknown[] = []): unknown {
  return workflow(
    [
      node(1, 'EmptyImage', EMPTY),
      node(2, type, { outputs: ['IMAGE'], ...options }),
      node(3, 'SaveImage', SAVE),
      ...more,
    ],
    [
      [1, 1, 0, 2, 0],
      [9, 2, 0, 3, 0],
      [20, 8, 0, 2, 1],
    ],
    { definitions: { subgraphs: [soft, twice] } },
  );
}

const image = [1, 'image', 'IMAGE'] as const;
const picture = [1, 'picture', 'IMAGE'] as const;
const radius = [null, 'radius', 'INT', true] as const;

describe('a subgraph node', () => {
  it('is its inner nodes, with the ids that lead to them', () => {
    const { prompt, order } = toApiFormat(around(SOFT, { inputs: [image] }), { catalogue });
    assert.deepEqual(order, ['1', '2:4', '3']);
    assert.deepEqual(prompt['2:4'], {
      class_type: 'ImageBlur',
      inputs: { blur_radius: 3, sigma: 0.5, image: ['1', 0] },
      _meta: { title: 'Inner blur' },
    });
    assert.deepEqual(prompt['3']?.inputs, savedFrom('2:4'));
  });

  const nested = async (options: NodeOptions) =>
    await inputsOf(around(TWICE, { inputs: [picture], ...options }));
  const blur = (blur_radius: number, from: string) => ({ blur_radius, sigma: 0.5, image: [from, 0] });

  it('may contain others, each with values of its own', async () => {
    assert.deepEqual(await nested({}), {
      1: EMPTY_INPUTS,
      '2:1:4': blur(5, '1'),
      '2:2:4': blur(6, '2:1:4'),
      3: savedFrom('2:2:4'),
    });
  });

  const valueGiven: readonly (readonly [name: string, NodeOptions])[] = [
    ['in the order of its inputs', { values: [9] }],
    ['in that order, with what follows a seed', { values: [9, 'fixed'] }],
    ['by name', { values: { radius: 9 } }],
    ['by name beside the list', { values: [9], more: { widgets_values_named: { radius: 9 } } }],
    [
      'at the place of its own widget',
      { values: [null, 9], more: proxied(['4', 'sigma'], ['-1', 'radius']) },
    ],
    ['at the place of the inner widget', { values: [9], more: proxied(['4', 'blur_radius']) }],
  ];
  for (const [how, options] of valueGiven) {
    it(`has a value for an inner widget ${how}`, async () => {
      for (const inputs of [[image, radius], [image]]) {
        const all = await inputsOf(around(SOFT, { inputs, ...options }));
        assert.deepEqual(all['2:4'], blur(9, '1'));
      }
    });
  }

  it('has values for widgets that no input leads to', async () => {
    const all = await inputsOf(
      around(SOFT, {
        inputs: [image],
        values: [0.75, null, 'x'],
        more: proxied(['4', 'sigma'], ['4', 'blur_radius'], ['4', '$$preview']),
      }),
    );
    assert.deepEqual(all['2:4'], { blur_radius: 3, sigma: 0.75, image: ['1', 0] });
  });

  const deep: readonly (readonly [name: string, NodeOptions, first: number, second: number])[] = [
    ['through inputs', { values: [9] }, 9, 6],
    ['by the input of the inner subgraph node', { values: [9], more: proxied(['2', 'radius']) }, 5, 9],
  ];
  for (const [how, options, first, second] of deep) {
    it(`has a value for a widget further in, ${how}`, async () => {
      const all = await nested(options);
      assert.deepEqual(all['2:1:4'], blur(first, '1'));
      assert.deepEqual(all['2:2:4'], blur(second, '2:1:4'));
    });
  }

  for (const [how, proxy] of [
    ['named after its node', ['2', '4: sigma']],
    ['with its node beside it', ['2', 'sigma', '4']],
    ['by ids', ['2:4', 'sigma']],
  ] as const) {
    it(`has a value for a widget further in that is not an input, ${how}`, async () => {
      const all = await nested({ values: [0.25], more: proxied(proxy) });
      assert.deepEqual(all['2:2:4'], { ...blur(6, '2:1:4'), sigma: 0.25 });
      assert.deepEqual(all['2:1:4'], blur(5, '1'));
    });
  }

  it('takes what it is linked to before its own value', async () => {
    const linked = [20, 'radius', 'INT', true] as const;
    const number = node(8, 'PrimitiveInt', { outputs: ['INT'], values: [2, 'fixed'] });
    const all = await inputsOf(around(SOFT, { inputs: [image, linked], values: [9] }, [number]));
    assert.deepEqual(all['2:4'], { blur_radius: ['8', 0], sigma: 0.5, image: ['1', 0] });
    const primitive = node(8, 'PrimitiveNode', { outputs: ['INT'], values: [7, 'fixed'] });
    const other = await inputsOf(around(SOFT, { inputs: [image, linked], values: [9] }, [primitive]));
    assert.deepEqual(other['2:4'], blur(7, '1'));
  });

  it('without a value has that of the first widget, for all that the input leads to', async () => {
    const shared = subgraph(SOFT, {
      inputs: ['image', 'radius'],
      nodes: [4, 5].map((id) =>
        node(id, 'ImageBlur', {
          inputs: [
            [id === 4 ? 1 : 3, 'image', 'IMAGE'],
            [id + 2, 'blur_radius', 'INT', true],
          ],
          outputs: ['IMAGE'],
          values: [id, 0.5],
        }),
      ),
      links: [
        [1, -10, 0, 4, 0],
        [6, -10, 1, 4, 1],
        [7, -10, 1, 5, 1],
        [3, 4, 0, 5, 0],
        [8, 5, 0, -20, 0],
      ],
    });
    const saved = { ...Object(around(SOFT, { inputs: [image] })), definitions: { subgraphs: [shared] } };
    const all = await inputsOf(saved);
    assert.deepEqual(all['2:4'], blur(4, '1'));
    assert.deepEqual(all['2:5'], blur(4, '2:4'));
  });

  it('has values for each use of its own, also for primitive nodes', async () => {
    const inner = subgraph(SOFT, {
      inputs: ['width'],
      nodes: [
        node(1, 'EmptyImage', {
          inputs: [
            [1, 'width', 'INT', true],
            [2, 'height', 'INT', true],
          ],
          outputs: ['IMAGE'],
          values: [64, 32, 1, 0],
        }),
        node(2, 'PrimitiveNode', { outputs: ['INT'], values: [5, 'randomize'] }),
        node(3, 'SaveImage', SAVE),
      ],
      links: [
        [1, -10, 0, 1, 0],
        [2, 2, 0, 1, 1],
        [9, 1, 0, 3, 0],
      ],
    });
    const more = proxied(['1', 'width'], ['2', 'value']);
    const uses = [node(7, SOFT, { values: [16, 17], more }), node(8, SOFT, { values: [26, 27], more })];
    assert.deepEqual(await inputsOf(workflow(uses, [], { definitions: { subgraphs: [inner] } })), {
      '7:1': { ...EMPTY_INPUTS, width: 16, height: 17 },
      '7:3': savedFrom('7:1'),
      '8:1': { ...EMPTY_INPUTS, width: 26, height: 27 },
      '8:3': savedFrom('8:1'),
    });
  });

  it('gives what its output says, where the file has other links to it', async () => {
    const links = linkObjects([
      [5, -10, 0, -20, 0],
      [1, -10, 0, 4, 0],
      [3, 4, 0, -20, 1],
    ]);
    const stale = { ...soft, links, outputs: [{ name: 'IMAGE', type: 'IMAGE', linkIds: [3] }] };
    const saved = { ...Object(around(SOFT, { inputs: [image] })), definitions: { subgraphs: [stale] } };
    assert.deepEqual((await inputsOf(saved))['3'], savedFrom('2:4'));
  });

  it('that is bypassed passes its inputs on', async () => {
    assert.deepEqual(await inputsOf(around(TWICE, { inputs: [picture], mode: 4 })), {
      1: EMPTY_INPUTS,
      3: savedFrom('1'),
    });
  });

  it('that is muted is not run, and nothing is linked to it', () => {
    const { prompt } = toApiFormat(around(TWICE, { inputs: [picture], mode: 2 }), { catalogue });
    assert.deepEqual(Object.keys(prompt), ['1', '3']);
    assert.deepEqual(prompt['3']?.inputs, { filename_prefix: 'out' });
  });

  it('may pass an input straight on, and be defined inside the one that uses it', async () => {
    const plain = subgraph(SOFT, { inputs: ['image'], nodes: [], links: [[1, -10, 0, -20, 0]] });
    const saved = {
      ...Object(around(TWICE, { inputs: [picture] })),
      definitions: { subgraphs: [{ ...twice, definitions: { subgraphs: [plain] } }] },
    };
    assert.deepEqual(await inputsOf(saved), { 1: EMPTY_INPUTS, 3: savedFrom('1') });
  });
});

function proxied(...proxyWidgets: readonly (readonly string[])[]) {
  return { properties: { proxyWidgets } };
}
