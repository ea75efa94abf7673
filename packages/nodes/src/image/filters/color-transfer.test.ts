import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeContext, noiseImage, runNode } from '../../test/run-node.ts';
import type { Image } from '../../values/image.ts';
import { colorTransfer } from './color-transfer.ts';

const METHODS = ['reinhard_lab', 'mkl_lab', 'histogram'];

async function transferred(image_target: Image, image_ref: Image, options: object = {}): Promise<Image> {
  const defaults = { method: 'reinhard_lab', source_stats: { choice: 'per_frame' }, strength: 1 };
  return (await runNode(colorTransfer, { image_target, image_ref, ...defaults, ...options }))
    .outputs[0] as Image;
}

test('an image with its own colors as the reference stays what it is', async () => {
  const image = noiseImage({ batch: 3, height: 9, width: 7 });
  for (const method of METHODS) {
    const { data } = await transferred(image, image, { method });
    const allowed = method === 'histogram' ? 1 / 255 : 1e-5;
    for (const [index, value] of data.entries())
      assert.ok(Math.abs(value - image.data[index]!) <= allowed, method);
  }
});

test('a strength of 0 gives the image itself', async () => {
  const image = noiseImage({ height: 2, width: 2 });
  assert.equal(await transferred(image, noiseImage({ height: 1, width: 1 }), { strength: 0 }), image);
});

test('alpha stays, gray is refused with a sentence', async () => {
  const image = noiseImage({ height: 4, width: 4, channels: 4 });
  for (const method of METHODS) {
    const { data } = await transferred(image, noiseImage({ height: 3, width: 3 }, { seed: 5 }), { method });
    for (let pixel = 0; pixel < 16; pixel++) assert.equal(data[pixel * 4 + 3], image.data[pixel * 4 + 3]);
  }
  const gray = noiseImage({ height: 2, width: 2, channels: 1 });
  await assert.rejects(transferred(gray, image), { exceptionType: 'ValueError' });
});

test('even pictures, single pixels and NaN give numbers or NaN, never a crash', async () => {
  const [even, single] = [
    noiseImage({ height: 3, width: 3 }),
    noiseImage({ height: 1, width: 1 }, { seed: 3 }),
  ];
  even.data.fill(0.5);
  for (const method of METHODS) {
    for (const result of [
      await transferred(even, single, { method }),
      await transferred(single, even, { method }),
    ]) {
      assert.ok(
        result.data.every((value) => value >= 0 && value <= 1),
        method,
      );
    }
    const broken = { ...even, data: even.data.map((value, index) => (index === 4 ? Number.NaN : value)) };
    assert.equal((await transferred(broken, single, { method })).data.length, 27);
  }
});

test('a target frame beyond the end means the last one', async () => {
  const [image, reference] = [
    noiseImage({ batch: 2, height: 3, width: 3 }),
    noiseImage({ height: 3, width: 3 }, { seed: 2 }),
  ];
  const by = async (target_index: number): Promise<Image> =>
    await transferred(image, reference, { source_stats: { choice: 'target_frame', target_index } });
  assert.deepEqual((await by(100)).data, (await by(1)).data);
  assert.notDeepEqual((await by(0)).data, (await by(1)).data);
});

test('progress is told for every picture and a cancelled job stops', async () => {
  using context = nodeContext();
  const image = noiseImage({ batch: 2, height: 2, width: 2 });
  const inputs = {
    image_target: image,
    image_ref: image,
    method: 'mkl_lab',
    source_stats: { choice: 'uniform' },
    strength: 1,
  };
  await runNode(colorTransfer, inputs, context);
  assert.equal(context.progressed.length, 2);
  context.cancel();
  await assert.rejects(runNode(colorTransfer, inputs, context), { name: 'Interrupted' });
});
