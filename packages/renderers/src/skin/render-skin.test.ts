import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import sharp, { type Sharp } from 'sharp';
import { difference, inFolder, painted, photo, retouched } from '../../test/rendered.ts';
import { RenderError, type SkinSettings } from '../render-request.ts';
import { renderSkin } from './render-skin.ts';

const PERSON = await photo('eileen-collins', 150);
const { width, height } = PERSON;
const STRONG: SkinSettings = { mode: 'creative', sharpen: 60, smartGrain: 30, seed: 3 };

function person(): Sharp {
  return sharp(PERSON.rgb, { raw: { width, height, channels: 3 } });
}

async function renderedFile(input: Buffer, settings = STRONG): Promise<Buffer> {
  return await inFolder(async (folder) => {
    const [from, to] = [join(folder, 'in'), join(folder, 'out')];
    await writeFile(from, input);
    await renderSkin({ kind: 'skin', input: from, output: to, settings });
    return await sharp(to).keepMetadata().toBuffer();
  });
}

describe('rendering skin', () => {
  for (const format of ['jpeg', 'png', 'webp'] as const) {
    it(`writes ${format} for ${format}, in the same size`, async () => {
      const result = await sharp(await renderedFile(await person().toFormat(format).toBuffer())).metadata();
      assert.deepEqual([result.format, result.width, result.height], [format, width, height]);
    });
  }

  it('writes JPEG without reducing its colors', async () => {
    const result = await inFolder(async (folder) => {
      const [input, output] = [join(folder, 'in.jpg'), join(folder, 'out.jpg')];
      await person().jpeg().toFile(input);
      await renderSkin({ kind: 'skin', input, output, settings: STRONG });
      return await sharp(output).metadata();
    });
    assert.equal(result.chromaSubsampling, '4:4:4');
  });

  it('leaves transparency untouched', async () => {
    const alpha = Buffer.from(Uint8Array.from({ length: width * height }, (_, at) => at % 251));
    const input = await person()
      .joinChannel(alpha, { raw: { width, height, channels: 1 } })
      .png()
      .toBuffer();
    const result = await sharp(await renderedFile(input))
      .extractChannel('alpha')
      .raw()
      .toBuffer();
    assert.deepEqual(result, alpha);
  });

  for (const [what, make] of [
    ['one pixel', async () => await solid(1, 1).png().toBuffer()],
    ['two pixels', async () => await solid(2, 1).png().toBuffer()],
    ['a thin line', async () => await solid(2000, 3).png().toBuffer()],
    ['a thin column', async () => await solid(3, 2000).jpeg().toBuffer()],
    ['gray', async () => await person().greyscale().jpeg().toBuffer()],
    ['CMYK', async () => await person().toColorspace('cmyk').jpeg().toBuffer()],
    ['16 bits', async () => await person().toColorspace('rgb16').png().toBuffer()],
    ['an animation', async () => await animation().webp().toBuffer()],
    ['GIF', async () => await person().gif().toBuffer()],
    ['TIFF', async () => await person().tiff().toBuffer()],
  ] as const) {
    it(`takes ${what}`, async () => {
      const input = await make();
      const before = await sharp(input).metadata();
      const result = await sharp(await renderedFile(input)).metadata();
      assert.deepEqual([result.width, result.height], [before.width, before.pageHeight ?? before.height]);
    });
  }

  it('does not spoil a picture without skin', async () => {
    const leaves = painted(96, 64, (x, y) => [40 + 48 * x, 90 + 96 * x, 60 + ((y * 448) % 24)]);
    const result = await retouched(leaves, { mode: 'faithful', skinDetail: 100 });
    assert.ok(difference(result, leaves) < 0.1);
  });

  it('reports a broken picture as the fault of the request', async () => {
    await assert.rejects(renderedFile(Buffer.from('GIF89a, or so it says')), RenderError);
    const whole = await person().png().toBuffer();
    await assert.rejects(renderedFile(whole.subarray(0, whole.length >> 1)), RenderError);
  });

  it('reports progress, and stops with the reason of the signal', async () => {
    const seen: number[] = [];
    const stop = new AbortController();
    await inFolder(async (folder) => {
      const [input, output] = [join(folder, 'in.png'), join(folder, 'out.png')];
      await person().png().toFile(input);
      const request = { kind: 'skin', input, output, settings: STRONG } as const;
      await renderSkin(request, { onProgress: (done) => seen.push(done) });
      assert.equal(seen.at(-1), 1);
      assert.deepEqual(
        seen,
        seen.toSorted((one, other) => one - other),
      );
      const reason = new Error('enough');
      const onProgress = (done: number): void => {
        if (done > 0.3) stop.abort(reason);
      };
      await assert.rejects(renderSkin(request, { signal: stop.signal, onProgress }), reason);
    });
  });
});

function solid(across: number, down: number): Sharp {
  return sharp({ create: { width: across, height: down, channels: 3, background: '#d0a080' } });
}

function animation(): Sharp {
  const frames = Uint8Array.from({ length: 40 * 80 * 3 }, (_, at) => (at * 31) % 256);
  return sharp(frames, { raw: { width: 40, height: 80, channels: 3, pageHeight: 40 } });
}
