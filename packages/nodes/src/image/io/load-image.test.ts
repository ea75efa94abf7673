import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { NodeError, type NodeType, toNodeInfo } from '@atelier/engine';
import { customProblems, missingFile } from '../../test/custom-problems.ts';
import { nodeContext, noiseImage, runNode } from '../../test/run-node.ts';
import type { Image, Mask } from '../../values/image.ts';
import { encodePng } from '../codecs/encode-png.ts';
import { bytesOf, fixture, putInput } from '../codecs/test/image-io-fixture.ts';
import { loadImage, loadImageMask, loadImageOutput, webcamCapture } from './load-image.ts';

function fileOf(name: string): Buffer<ArrayBuffer> {
  return bytesOf(fixture.decode.find((one) => one.name === name)!.file);
}

describe('LoadImage', () => {
  test('gives the picture and 1 − alpha', async () => {
    using context = nodeContext();
    putInput(context, 'a.png', fileOf('RGBA PNG'));
    const { outputs } = await runNode(loadImage, { image: 'a.png' }, context);
    const [image, mask] = outputs as [Image, Mask];
    assert.deepEqual([image.batch, image.height, image.width, image.channels], [1, 7, 11, 3]);
    const rgba = bytesOf(fixture.decode.find(({ name }) => name === 'RGBA PNG')!.rgba);
    assert.equal(image.data[3], Math.fround(rgba[4]! / 255));
    assert.equal(mask.data[1], Math.fround(1 - Math.fround(rgba[7]! / 255)));
  });

  test('a picture that was saved is loaded as it was shown: every byte comes back', async () => {
    using context = nodeContext();
    const bytes = Float32Array.from({ length: 256 * 3 }, (_, index) => Math.floor(index / 3) / 255);
    putInput(
      context,
      'a.png',
      await encodePng(bytes, { width: 256, height: 1, channels: 3 }, { level: 4 }, context),
    );
    const { outputs } = await runNode(loadImage, { image: 'a.png' }, context);
    assert.deepEqual((outputs as [Image])[0].data, bytes);
  });

  test('a picture of the output folder, in a folder there', async () => {
    using context = nodeContext();
    await context.files.create({ folder: 'output', subfolder: 'x/y', name: 'b.gif' }, fileOf('animated GIF'));
    const { outputs } = await runNode(loadImage, { image: 'x/y/b.gif [output]' }, context);
    assert.equal((outputs as [Image])[0].batch, 3);
  });

  test('a file that is gone is a sentence with its name', async () => {
    using context = nodeContext();
    await assert.rejects(
      runNode(loadImage, { image: 'gone.png' }, context),
      (error) => error instanceof NodeError && error.message.includes('gone.png'),
    );
  });
});

describe('before it runs', () => {
  const types: readonly NodeType[] = [loadImage, loadImageMask, loadImageOutput, webcamCapture];
  const about = (context: ReturnType<typeof nodeContext>) => ({ files: context.files, types: {} });

  for (const type of types) {
    test(`${type.type} wants its file to exist`, async () => {
      using context = nodeContext();
      putInput(context, 'a.png', fileOf('RGB PNG'));
      for (const image of ['a.png', 'a.png [input]']) {
        assert.deepEqual(await customProblems(type, { image }, context.files), []);
      }
      for (const image of ['a.png [output]', 'b.png', '../../etc/passwd', '', 5]) {
        const problems = await customProblems(type, { image }, context.files);
        assert.deepEqual(problems, [missingFile('image', 'image', String(image))]);
      }
    });

    test(`${type.type} is known by the content of its file`, async () => {
      using context = nodeContext();
      putInput(context, 'a.png', fileOf('RGB PNG'));
      const hash = createHash('sha256').update(fileOf('RGB PNG')).digest('hex');
      assert.equal(await type.fingerprint?.({ image: 'a.png' }, about(context)), hash);
      assert.ok(Number.isNaN(await type.fingerprint?.({}, about(context))));
    });
  }

  test('the choices are the pictures of the input folder, in order', async () => {
    using context = nodeContext();
    for (const name of ['b.png', 'a.JPG', 'notes.txt', 'movie.mp4', 'Z.webp']) {
      putInput(context, name, Uint8Array.of(1));
    }
    const { input } = await toNodeInfo(loadImage, { module: '', files: context.files });
    assert.deepEqual(input.required?.['image']?.[0], ['Z.webp', 'a.JPG', 'b.png']);
  });
});

describe('LoadImageMask', () => {
  const rgba = bytesOf(fixture.decode.find(({ name }) => name === 'RGBA PNG')!.rgba);

  for (const [index, channel] of ['red', 'green', 'blue'].entries()) {
    test(`${channel} as it is`, async () => {
      using context = nodeContext();
      putInput(context, 'a.png', fileOf('RGBA PNG'));
      const { outputs } = await runNode(loadImageMask, { image: 'a.png', channel }, context);
      const [mask] = outputs as [Mask];
      assert.deepEqual([mask.batch, mask.height, mask.width], [1, 7, 11]);
      mask.data.forEach((value, pixel) => assert.equal(value, Math.fround(rgba[pixel * 4 + index]! / 255)));
    });
  }

  test('alpha is the mask of LoadImage', async () => {
    using context = nodeContext();
    putInput(context, 'a.png', fileOf('RGBA PNG'));
    const [, expected] = (await runNode(loadImage, { image: 'a.png' }, context)).outputs;
    const { outputs } = await runNode(loadImageMask, { image: 'a.png', channel: 'alpha' }, context);
    assert.deepEqual(outputs, [expected]);
  });

  test('of gray pictures every color is the gray', async () => {
    using context = nodeContext();
    putInput(context, 'a.png', fileOf('gray PNG of 16 bits with alpha'));
    const run = async (channel: string): Promise<unknown> =>
      (await runNode(loadImageMask, { image: 'a.png', channel }, context)).outputs;
    assert.deepEqual(await run('blue'), await run('red'));
  });
});

test('WebcamCapture loads the picture that the editor has uploaded', async () => {
  using context = nodeContext();
  const shot = noiseImage({ width: 4, height: 3 });
  putInput(context, '1.png', await encodePng(shot.data, shot, { level: 1 }, context));
  const { outputs } = await runNode(
    webcamCapture,
    { image: '1.png', width: 4, height: 3, capture_on_queue: true },
    context,
  );
  assert.equal(outputs.length, 1);
  assert.equal((outputs as [Image])[0].width, 4);
  await assert.rejects(runNode(webcamCapture, { image: null }, context), /No picture was taken/);
});
