import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertClose, type Packed, readFixture, unpack } from '../test/packed.ts';
import { nodeContext, noiseImage, noiseMask, runNode } from '../test/run-node.ts';
import type { Image, Mask } from '../values/image.ts';
import {
  cropMask,
  imageColorToMask,
  imageToMask,
  invertMask,
  maskToImage,
  solidMask,
  thresholdMask,
} from './basic.ts';
import {
  imageCompositeMasked,
  joinImageWithAlpha,
  porterDuffImageComposite,
  splitImageWithAlpha,
} from './composite.ts';
import { featherMask, growMask, maskComposite } from './edit.ts';

interface Fixture {
  readonly grow: readonly { expand: number; tapered: boolean; result: Packed }[];
  readonly feather: readonly { left: number; top: number; right: number; bottom: number; result: Packed }[];
  readonly combine: readonly { x: number; y: number; operation: string; result: Packed }[];
  readonly over: readonly {
    x: number;
    y: number;
    resize: boolean;
    masked: boolean;
    batch: number;
    result: Packed;
  }[];
  readonly porterDuff: readonly { mode: string; image: Packed; mask: Packed }[];
  readonly join: readonly { images: number; masks: number; result: Packed }[];
  readonly colors: readonly { keys: readonly number[] }[];
}

const fixture = readFixture('masks') as Fixture;

async function maskOf(...call: Parameters<typeof runNode>): Promise<Mask> {
  return (await runNode(...call)).outputs[0] as Mask;
}

async function imageOf(...call: Parameters<typeof runNode>): Promise<Image> {
  return (await runNode(...call)).outputs[0] as Image;
}

function mask(values: readonly (readonly number[])[]): Mask {
  return {
    batch: 1,
    height: values.length,
    width: values[0]?.length ?? 0,
    data: Float32Array.from(values.flat()),
  };
}

describe('simple masks', () => {
  it('SolidMask has one value', async () => {
    const made = await maskOf(solidMask, { value: 0.25, width: 3, height: 1 });
    assert.deepEqual([...made.data], [0.25, 0.25, 0.25]);
    assert.equal(made.batch, 1);
  });

  it('InvertMask and ThresholdMask work on every mask of a batch', async () => {
    const given: Mask = { batch: 3, height: 1, width: 1, data: Float32Array.of(0, 0.5, 0.75) };
    assert.deepEqual([...(await maskOf(invertMask, { mask: given })).data], [1, 0.5, 0.25]);
    assert.deepEqual([...(await maskOf(thresholdMask, { mask: given, value: 0.5 })).data], [0, 0, 1]);
    assert.deepEqual([...given.data], [0, 0.5, 0.75], 'the input is as it was');
  });

  it('CropMask leaves off what lies outside, and refuses to leave nothing', async () => {
    const given = mask([
      [1, 2, 3],
      [4, 5, 6],
    ]);
    const cut = await maskOf(cropMask, { mask: given, x: 1, y: 1, width: 9, height: 9 });
    assert.deepEqual([cut.width, cut.height, ...cut.data], [2, 1, 5, 6]);
    await assert.rejects(
      maskOf(cropMask, { mask: given, x: 3, y: 0, width: 1, height: 1 }),
      /Nothing is left/,
    );
  });

  it('MaskToImage and ImageToMask go back and forth', async () => {
    const given = noiseMask({ batch: 3, height: 5, width: 7 });
    const image = await imageOf(maskToImage, { mask: given });
    assert.equal(image.channels, 3);
    for (const channel of ['red', 'green', 'blue']) {
      assert.deepEqual(await maskOf(imageToMask, { image, channel }), given);
    }
    await assert.rejects(maskOf(imageToMask, { image, channel: 'alpha' }), /none of them is alpha/);
  });

  it('ImageToMask takes the alpha of four channels as it stands', async () => {
    const image = noiseImage({ height: 1, width: 2, channels: 4 });
    const made = await maskOf(imageToMask, { image, channel: 'alpha' });
    assert.deepEqual([...made.data], [image.data[3], image.data[7]]);
  });

  it('ImageColorToMask finds exactly one color', async () => {
    const image = noiseImage({ height: 16, width: 16 }, { seed: 16 });
    const keys = fixture.colors[0]?.keys ?? [];
    for (const at of [0, 100, 255]) {
      const color = keys[at] ?? -1;
      const made = await maskOf(imageColorToMask, { image, color });
      assert.deepEqual(
        [...made.data],
        keys.map((key) => Number(key === color)),
      );
    }
  });
});

describe('edited masks are those of the referee', () => {
  for (const { expand, tapered, result } of fixture.grow) {
    it(`GrowMask by ${expand}${tapered ? ' with tapered corners' : ''}`, async () => {
      const given = noiseMask({ batch: 2, height: 7, width: 9 }, { seed: 3 });
      const made = await maskOf(growMask, { mask: given, expand, tapered_corners: tapered });
      assert.deepEqual(made.data, unpack(result));
    });
  }

  it('GrowMask ends when nothing changes any more, and can be cancelled', async () => {
    const given = noiseMask({ height: 3, width: 4 });
    const made = await maskOf(growMask, { mask: given, expand: 16384, tapered_corners: true });
    assert.deepEqual(new Set(made.data), new Set([Math.max(...given.data)]));
    using context = nodeContext();
    context.cancel();
    await assert.rejects(
      maskOf(growMask, { mask: given, expand: 2, tapered_corners: true }, context),
      /cancelled/,
    );
  });

  for (const { result, ...edges } of fixture.feather) {
    it(`FeatherMask by ${JSON.stringify(edges)}`, async () => {
      const given = noiseMask({ batch: 2, height: 6, width: 5 }, { seed: 4 });
      assertClose((await maskOf(featherMask, { mask: given, ...edges })).data, unpack(result));
    });
  }

  it('FeatherMask takes no more than the mask has', async () => {
    const made = await maskOf(featherMask, { mask: mask([[1]]), left: 99, top: 0, right: 0, bottom: 0 });
    assert.deepEqual([...made.data], [1]);
  });

  for (const { x, y, operation, result } of fixture.combine) {
    it(`MaskComposite ${operation} at ${x}, ${y}`, async () => {
      const destination = noiseMask({ batch: 2, height: 6, width: 7 }, { seed: 5 });
      const source = noiseMask({ batch: x === 0 ? 1 : 2, height: 4, width: 5 }, { seed: 6 });
      assertClose(
        (await maskOf(maskComposite, { destination, source, x, y, operation })).data,
        unpack(result),
      );
    });
  }

  it('MaskComposite refuses batches that do not fit', async () => {
    const [destination, source] = [
      noiseMask({ batch: 2, height: 1, width: 1 }),
      noiseMask({ batch: 3, height: 1, width: 1 }),
    ];
    await assert.rejects(
      maskOf(maskComposite, { destination, source, x: 0, y: 0, operation: 'add' }),
      /3 masks and the destination 2/,
    );
  });

  it('MaskComposite changes nothing beyond the edge', async () => {
    const destination = mask([[0.5]]);
    const made = await maskOf(maskComposite, {
      destination,
      source: mask([[1]]),
      x: 5,
      y: 5,
      operation: 'add',
    });
    assert.deepEqual([...made.data], [0.5]);
  });
});

describe('composites are those of the referee', () => {
  for (const { x, y, resize, masked, batch, result } of fixture.over) {
    it(`ImageCompositeMasked at ${x}, ${y}${resize ? ' resized' : ''}${masked ? ' masked' : ''}`, async () => {
      const made = await imageOf(imageCompositeMasked, {
        destination: noiseImage({ batch: 3, height: 6, width: 7 }, { seed: 7 }),
        source: noiseImage({ batch, height: 4, width: 5 }, { seed: 8 }),
        x,
        y,
        resize_source: resize,
        mask: masked ? noiseMask({ batch, height: 3, width: 8 }, { seed: 9 }) : undefined,
      });
      assertClose(made.data, unpack(result));
    });
  }

  it('ImageCompositeMasked gives a source without alpha one, and changes no input', async () => {
    const destination = noiseImage({ height: 2, width: 2, channels: 4 });
    const before = destination.data.slice();
    const made = await imageOf(imageCompositeMasked, {
      destination,
      source: noiseImage({ height: 1, width: 1 }, { seed: 2 }),
      x: 1,
      y: 1,
      resize_source: false,
    });
    assert.equal(made.data[15], 1);
    assert.deepEqual(made.data.subarray(0, 12), before.subarray(0, 12));
    assert.deepEqual(destination.data, before);
  });

  for (const { mode, image, mask: alpha } of fixture.porterDuff) {
    it(`PorterDuffImageComposite ${mode}`, async () => {
      const masks = [11, 12].map((seed) => {
        const made = noiseMask({ height: 4, width: 5 }, { seed });
        made.data.fill(1, 0, 5).fill(0, 5, 7);
        return made;
      });
      const { outputs } = await runNode(porterDuffImageComposite, {
        source: noiseImage({ height: 4, width: 5 }, { seed: 10 }),
        source_alpha: masks[0],
        destination: noiseImage({ height: 4, width: 5 }, { seed: 13 }),
        destination_alpha: masks[1],
        mode,
      });
      assertClose((outputs[0] as Image).data, unpack(image));
      assertClose((outputs[1] as Mask).data, unpack(alpha));
    });
  }

  it('PorterDuffImageComposite takes the smallest batch and the size of the destination', async () => {
    const { outputs } = await runNode(porterDuffImageComposite, {
      source: noiseImage({ batch: 3, height: 2, width: 8 }),
      source_alpha: noiseMask({ batch: 2, height: 9, width: 1 }),
      destination: noiseImage({ batch: 3, height: 5, width: 3 }),
      destination_alpha: noiseMask({ batch: 3, height: 5, width: 3 }),
      mode: 'SRC_OVER',
    });
    const { batch, height, width } = outputs[0] as Image;
    assert.deepEqual([batch, height, width], [2, 5, 3]);
  });

  it('PorterDuffImageComposite refuses different channels', async () => {
    const alpha = noiseMask({ height: 1, width: 1 });
    await assert.rejects(
      runNode(porterDuffImageComposite, {
        source: noiseImage({ height: 1, width: 1, channels: 4 }),
        source_alpha: alpha,
        destination: noiseImage({ height: 1, width: 1 }),
        destination_alpha: alpha,
        mode: 'SRC',
      }),
      /same number of channels, not 4 and 3/,
    );
  });

  it('SplitImageWithAlpha inverts the alpha, and masks nothing where there is none', async () => {
    const image = noiseImage({ batch: 2, height: 3, width: 1, channels: 4 });
    const { outputs } = await runNode(splitImageWithAlpha, { image });
    const [rgb, alpha] = outputs as [Image, Mask];
    assert.equal(rgb.channels, 3);
    assert.deepEqual([...rgb.data.subarray(0, 3)], [...image.data.subarray(0, 3)]);
    assertClose(
      alpha.data,
      Array.from({ length: 6 }, (_, pixel) => 1 - (image.data[pixel * 4 + 3] ?? 0)),
    );
    const opaque = await runNode(splitImageWithAlpha, { image: noiseImage({ height: 1, width: 1 }) });
    assert.deepEqual([...(opaque.outputs[1] as Mask).data], [0]);
  });

  for (const { images, masks, result } of fixture.join) {
    it(`JoinImageWithAlpha of ${images} pictures and ${masks} masks`, async () => {
      const image = noiseImage({ batch: images, height: 6, width: 7, channels: 4 }, { seed: 14 });
      const alpha = noiseMask({ batch: masks, height: 3, width: 8 }, { seed: 15 });
      const made = await imageOf(joinImageWithAlpha, { image, alpha });
      assert.equal(made.batch, Math.max(images, masks));
      const resized = unpack(result);
      const size = 6 * 7;
      for (let pixel = 0; pixel < made.batch * size; pixel += 1) {
        const from = (Math.floor(pixel / size) % images) * size + (pixel % size);
        const maskAt = (Math.floor(pixel / size) % masks) * size + (pixel % size);
        const expected = [...image.data.subarray(from * 4, from * 4 + 3), 1 - (resized[maskAt] ?? 0)];
        assertClose(made.data.subarray(pixel * 4, pixel * 4 + 4), expected);
      }
    });
  }
});
