import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isEditorWorkflow, parseJson, toApiFormat } from '../index.ts';
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
  workflow,
} from './test/workflows.ts';

const BLUR = {
  inputs: [[1, 'image', 'IMAGE']],
  outputs: ['IMAGE'],
  values: [3, 0.5],
} satisfies NodeOptions;
const BLUR_INPUTS = { blur_radius: 3, sigma: 0.5 };

describe('isEditorWorkflow', () => {
  it('tells what the editor saves from what it sends', () => {
    assert.equal(isEditorWorkflow({ nodes: [], links: [] }), true);
    assert.equal(isEditorWorkflow({ nodes: [] }), true);
    for (const other of [
      null,
      [],
      'nodes',
      {},
      { nodes: { class_type: 'A', inputs: {} }, links: { class_type: 'B', inputs: {} } },
      { 1: { class_type: 'EmptyImage', inputs: {} } },
    ]) {
      assert.equal(isEditorWorkflow(other), false, JSON.stringify(other));
    }
  });
});

describe('toApiFormat', () => {
  it('gives each node its type, inputs and title, in the order of the file', () => {
    const saved = workflow(
      [node(12, 'SaveImage', { ...SAVE, title: 'Mine' }), node(3, 'EmptyImage', EMPTY)],
      [[9, 3, 0, 12, 0]],
    );
    assert.deepEqual(toApiFormat(saved, { catalogue }), {
      prompt: {
        3: { class_type: 'EmptyImage', inputs: EMPTY_INPUTS, _meta: { title: 'Empty Image' } },
        12: { class_type: 'SaveImage', inputs: savedFrom('3'), _meta: { title: 'Mine' } },
      },
      order: ['12', '3'],
    });
  });

  it('reads links that are objects', async () => {
    const saved = {
      ...workflow([node(1, 'EmptyImage', EMPTY), node(2, 'SaveImage', SAVE)], []),
      links: linkObjects([[9, 1, 0, 2, 0]]),
      version: 1,
    };
    assert.deepEqual(await inputsOf(saved), { 1: EMPTY_INPUTS, 2: savedFrom('1') });
  });

  it('keeps integers exact', async () => {
    const text = JSON.stringify(
      workflow(
        [
          node(1, 'PrimitiveInt', { outputs: ['INT'], values: ['big', 'fixed'] }),
          node(2, 'PreviewAny', { inputs: [[1, 'source', '*']] }),
        ],
        [[1, 1, 0, 2, 0]],
      ),
    );
    const inputs = await inputsOf(parseJson(text.replace('"big"', '9223372036854775807')));
    assert.deepEqual(inputs['1'], { value: 9223372036854775807n });
  });

  it('drops notes, and passes what goes through reroutes on', async () => {
    const saved = workflow(
      [
        node(1, 'EmptyImage', EMPTY),
        node(2, 'Reroute', { inputs: [[1, '', '*']], outputs: ['*'] }),
        node(3, 'Reroute', { inputs: [[2, '', '*']], outputs: ['IMAGE'] }),
        node(4, 'SaveImage', SAVE),
        node(5, 'Note', { values: ['words'] }),
        node(6, 'MarkdownNote', { values: ['words'] }),
      ],
      [
        [1, 1, 0, 2, 0],
        [2, 2, 0, 3, 0],
        [9, 3, 0, 4, 0],
      ],
      { extra: { reroutes: [{ id: 1, linkIds: [9] }], linkExtensions: [{ id: 9, parentId: 1 }] } },
    );
    assert.deepEqual(await inputsOf(saved), { 1: EMPTY_INPUTS, 4: savedFrom('1') });
  });

  it('puts the value of a primitive node into the widget it is linked to', async () => {
    const saved = workflow(
      [
        node(1, 'PrimitiveNode', { outputs: ['INT'], values: [128, 'fixed'] }),
        node(2, 'EmptyImage', { ...EMPTY, inputs: [[1, 'height', 'INT', true]] }),
        node(3, 'SaveImage', SAVE),
      ],
      [
        [1, 1, 0, 2, 0],
        [9, 2, 0, 3, 0],
      ],
    );
    assert.deepEqual(await inputsOf(saved), { 2: { ...EMPTY_INPUTS, height: 128 }, 3: savedFrom('2') });
  });

  it('removes muted nodes and the inputs they were linked to', () => {
    const saved = workflow(
      [
        node(1, 'PrimitiveInt', { outputs: ['INT'], values: [7, 'fixed'], mode: 2 }),
        node(2, 'EmptyImage', { ...EMPTY, inputs: [[1, 'height', 'INT', true]] }),
      ],
      [[1, 1, 0, 2, 0]],
    );
    const { prompt } = toApiFormat(saved, { catalogue });
    const { height: _, ...others } = EMPTY_INPUTS;
    assert.deepEqual(Object.keys(prompt), ['2']);
    assert.deepEqual(prompt['2']?.inputs, others);
  });

  it('goes through chains of bypassed nodes', async () => {
    const saved = workflow(
      [
        node(1, 'EmptyImage', EMPTY),
        node(2, 'ImageBlur', { ...BLUR, mode: 4 }),
        node(3, 'ImageInvert', { inputs: [[2, 'image', 'IMAGE']], outputs: ['IMAGE'], mode: 4 }),
        node(4, 'SaveImage', SAVE),
      ],
      [
        [1, 1, 0, 2, 0],
        [2, 2, 0, 3, 0],
        [9, 3, 0, 4, 0],
      ],
    );
    assert.deepEqual(await inputsOf(saved), { 1: EMPTY_INPUTS, 4: savedFrom('1') });
  });

  describe('passes through a bypassed node', () => {
    /** A bypassed node whose second output is read; the picture comes in at one of its inputs. */
    async function passes(inputs: NodeOptions['inputs'], outputs: readonly string[]): Promise<unknown> {
      const saved = workflow(
        [
          node(1, 'EmptyImage', EMPTY),
          node(2, 'ImageBlur', { ...BLUR }),
          node(5, 'Anything', { inputs: inputs ?? [], outputs, mode: 4 }),
          node(4, 'SaveImage', SAVE),
        ],
        [
          [1, 1, 0, 2, 0],
          [2, 1, 0, 5, 0],
          [3, 2, 0, 5, 1],
          [9, 5, 1, 4, 0],
        ],
      );
      return ((await inputsOf(saved))['4'] as { readonly images: unknown }).images;
    }

    it('the input at the place of the output, when it fits', async () => {
      assert.deepEqual(
        await passes(
          [
            [2, 'a', 'IMAGE'],
            [3, 'b', 'IMAGE'],
          ],
          ['MASK', 'IMAGE'],
        ),
        ['2', 0],
      );
    });

    it('else the first of the type, before others that fit', async () => {
      assert.deepEqual(
        await passes(
          [
            [3, 'a', 'IMAGE,MASK'],
            [null, 'b', 'MASK'],
            [2, 'c', 'IMAGE'],
          ],
          ['MASK', 'IMAGE'],
        ),
        ['1', 0],
      );
    });

    it('else the first that fits', async () => {
      assert.deepEqual(
        await passes(
          [
            [2, 'a', 'MASK'],
            [null, 'b', 'MASK'],
            [3, 'c', 'image,MASK'],
          ],
          ['MASK', 'IMAGE'],
        ),
        ['2', 0],
      );
    });
  });

  it('leaves the value of a widget whose bypassed source has nothing to pass on', async () => {
    const saved = workflow(
      [
        node(1, 'PrimitiveInt', { outputs: ['INT'], values: [7, 'fixed'], mode: 4 }),
        node(2, 'EmptyImage', { ...EMPTY, inputs: [[1, 'height', 'INT', true]] }),
        node(3, 'SaveImage', SAVE),
      ],
      [
        [1, 1, 0, 2, 0],
        [9, 2, 0, 3, 0],
      ],
    );
    assert.deepEqual(await inputsOf(saved), { 2: EMPTY_INPUTS, 3: savedFrom('2') });
  });

  it('takes links to nowhere for none', async () => {
    const saved = workflow(
      [
        node(1, 'EmptyImage', { ...EMPTY, inputs: [[77, 'width', 'INT', true]] }),
        node(2, 'ImageBlur', BLUR),
        node(3, 'SaveImage', {
          ...SAVE,
          inputs: [
            [9, 'images', 'IMAGE'],
            [78, 'filename_prefix', 'STRING', true],
          ],
        }),
      ],
      [
        [1, 1, 0, 2, 0],
        [9, 2, 0, 3, 0],
        [78, 99, 0, 3, 1],
      ],
    );
    assert.deepEqual(await inputsOf(saved), {
      1: EMPTY_INPUTS,
      2: { ...BLUR_INPUTS, image: ['1', 0] },
      3: savedFrom('2'),
    });
  });

  it('links growing inputs by their names', async () => {
    const saved = workflow(
      [
        node(1, 'EmptyImage', EMPTY),
        node(2, 'BatchImagesNode', {
          inputs: [
            [1, 'images.image0', 'IMAGE'],
            [2, 'images.image1', 'IMAGE'],
            [null, 'images.image2', 'IMAGE'],
          ],
          outputs: ['IMAGE'],
        }),
        node(3, 'SaveImage', SAVE),
      ],
      [
        [1, 1, 0, 2, 0],
        [2, 1, 0, 2, 1],
        [9, 2, 0, 3, 0],
      ],
    );
    assert.deepEqual((await inputsOf(saved))['2'], { 'images.image0': ['1', 0], 'images.image1': ['1', 0] });
  });

  it('leaves node types that nobody knows to validation', () => {
    const saved = workflow([node(1, 'SetNode', { inputs: [[1, 'IMAGE', 'IMAGE']], values: ['name'] })], []);
    assert.deepEqual(toApiFormat(saved, { catalogue }).prompt, {
      1: { class_type: 'SetNode', inputs: {}, _meta: { title: 'SetNode' } },
    });
  });
});
