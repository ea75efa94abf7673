import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inputsOf, type NodeOptions, node, workflow } from './test/workflows.ts';

/** What comes of one node. */
async function valuesOf(type: string, options: NodeOptions): Promise<unknown> {
  const inputs = await inputsOf(workflow([node(1, type, options)], []));
  return inputs['1'];
}

/** A picture for those that need one. */
async function besideImage(type: string, options: NodeOptions): Promise<unknown> {
  const image = node(1, 'EmptyImage', { outputs: ['IMAGE'], values: [64, 32, 1, 0] });
  const noise = node(2, type, { ...options, outputs: ['IMAGE'] });
  const save = node(3, 'PreviewImage', { inputs: [[2, 'images', 'IMAGE']] });
  const inputs = await inputsOf(
    workflow(
      [image, noise, save],
      [
        [1, 1, 0, 2, 0],
        [2, 2, 0, 3, 0],
      ],
    ),
  );
  return inputs['2'];
}

describe('values of widgets', () => {
  it('are those of the inputs in order, without what follows a seed', async () => {
    const inputs = await besideImage('ImageAddNoise', {
      inputs: [[1, 'image', 'IMAGE']],
      values: [18446744073709551615n, 'randomize', 0.25],
    });
    assert.deepEqual(inputs, { image: ['1', 0], seed: 18446744073709551615n, strength: 0.25 });
  });

  it('of a file from before seeds had a control are read as well', async () => {
    const inputs = await besideImage('ImageAddNoise', { inputs: [[1, 'image', 'IMAGE']], values: [5, 0.25] });
    assert.deepEqual(inputs, { image: ['1', 0], seed: 5, strength: 0.25 });
  });

  it('come from required inputs first; seeds are known by their name, unless they say otherwise', async () => {
    const values = [11, 'fixed', 30, 2, 8];
    assert.deepEqual(await valuesOf('SeedFirst', { values }), {
      noise_seed: 11,
      steps: 30,
      plain: 2,
      after: 8,
    });
  });

  it('that are missing are the defaults', async () => {
    const rest = { plain: 1, after: 7 };
    assert.deepEqual(await valuesOf('SeedFirst', { values: [1, 'fixed', 5] }), {
      noise_seed: 1,
      steps: 5,
      ...rest,
    });
    assert.deepEqual(await valuesOf('SeedFirst', { values: [1, null, null] }), {
      noise_seed: 1,
      steps: 20,
      ...rest,
    });
    assert.deepEqual(await valuesOf('SeedFirst', {}), { noise_seed: 0, steps: 20, ...rest });
  });

  it('of a combo with a control are followed by the control and its filter', async () => {
    assert.deepEqual(await valuesOf('Controlled', { values: ['b', 'increment-wrap', '', 0.75] }), {
      choice: 'b',
      amount: 0.75,
    });
  });

  it('have the upload button after the required ones', async () => {
    const wanted = { file: 'y.png', channel: 'green', strict: false };
    assert.deepEqual(await valuesOf('Upload', { values: ['y.png', 'green', 'image', false] }), wanted);
    assert.deepEqual(await valuesOf('Upload', { values: ['y.png', 'green', false] }), wanted);
  });

  it('of a file that was uploaded', async () => {
    const load = node(1, 'LoadImage', { outputs: ['IMAGE', 'MASK'], values: ['photo.png', 'image'] });
    const show = node(2, 'PreviewImage', { inputs: [[1, 'images', 'IMAGE']] });
    assert.deepEqual(await inputsOf(workflow([load, show], [[1, 1, 0, 2, 0]])), {
      1: { image: 'photo.png' },
      2: { images: ['1', 0] },
    });
  });

  for (const [file, values] of [
    ['newer', [2, 'x']],
    ['older', [99, 2, 'x']],
  ] as const) {
    it(`leave out inputs that must be linked, in ${file} files`, async () => {
      const number = node(1, 'PrimitiveInt', { outputs: ['INT'], values: [40, 'fixed'] });
      const forced = node(2, 'Forced', { inputs: [[1, 'first', 'INT']], values });
      const inputs = await inputsOf(workflow([number, forced], [[1, 1, 0, 2, 0]]));
      assert.deepEqual(inputs['2'], { first: ['1', 0], second: 2, third: 'x' });
    });
  }

  it('keep their place when an input has taken the place of a widget', async () => {
    const number = node(1, 'PrimitiveInt', { outputs: ['INT'], values: [40, 'fixed'] });
    const seeded = node(2, 'SeedFirst', {
      inputs: [
        [null, 'image', 'IMAGE'],
        [1, 'noise_seed', 'INT', true],
        [null, 'steps', 'INT', true],
      ],
      values: [11, 'fixed', 30, 2, 8],
    });
    const inputs = await inputsOf(workflow([number, seeded], [[1, 1, 0, 2, 1]]));
    assert.deepEqual(inputs['2'], { noise_seed: ['1', 0], steps: 30, plain: 2, after: 8 });
  });

  it('may be given by name', async () => {
    const values = { steps: 3, noise_seed: 4, preview: { hidden: false } };
    const wanted = { noise_seed: 4, steps: 3, plain: 1, after: 7 };
    assert.deepEqual(await valuesOf('SeedFirst', { values }), wanted);
    assert.deepEqual(await valuesOf('SeedFirst', { more: { widgets_values_named: values } }), wanted);
  });

  it('are called what the file calls them, whatever the order is now; the list has the values', async () => {
    const named = { steps: 1, old: 2, noise_seed: 3, control_after_generate: 'fixed' };
    assert.deepEqual(
      await valuesOf('SeedFirst', { values: [30, 'x', 12, 'fixed'], more: { widgets_values_named: named } }),
      { noise_seed: 12, steps: 30, plain: 1, after: 7 },
    );
  });

  it('of a dynamic combo are followed by those of its choice', async () => {
    const inputs = await besideImage('ResizeImageMaskNode', {
      inputs: [[1, 'input', 'IMAGE,MASK']],
      values: ['scale by multiplier', 1.5, 'area'],
    });
    assert.deepEqual(inputs, {
      input: ['1', 0],
      resize_type: 'scale by multiplier',
      'resize_type.multiplier': 1.5,
      scale_method: 'area',
    });
  });

  it('of growing inputs are those that the file has', async () => {
    const inputs: NodeOptions['inputs'] = [
      [null, 'numbers.number0', 'INT', true],
      [null, 'numbers.number1', 'INT', true],
      [null, 'numbers.number2', 'INT', true],
    ];
    assert.deepEqual(await valuesOf('Growing', { inputs, values: [1, 2, 5, 'end'] }), {
      'numbers.number0': 1,
      'numbers.number1': 2,
      'numbers.number2': 5,
      last: 'end',
    });
    assert.deepEqual(await valuesOf('Growing', { values: [1, 2, 'end'] }), {
      'numbers.number0': 1,
      'numbers.number1': 2,
      last: 'end',
    });
  });

  it('of widgets that only the editor has are sent, but for those that show something', async () => {
    const box = { x: 1, y: 2, width: 3, height: 4 };
    const points = [
      [0, 0],
      [1, 1],
    ];
    assert.deepEqual(await valuesOf('Boxed', { values: [box, 1, 2, 3, 4, points, 'name', ['a', 'b']] }), {
      box,
      points: { __value__: points },
      name: 'name',
    });
  });

  it('that the editor adds to a custom combo are sent', async () => {
    const combo = node(1, 'CustomCombo', {
      outputs: ['STRING', 'INT'],
      values: ['two', 1, 'one', 'two', ''],
    });
    const show = node(2, 'PreviewAny', { inputs: [[1, 'source', '*']] });
    const inputs = await inputsOf(workflow([combo, show], [[1, 1, 0, 2, 0]]));
    assert.deepEqual(inputs['1'], { choice: 'two', index: 1, option1: 'one', option2: 'two', option3: '' });
  });
});
