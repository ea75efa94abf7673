import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import sharp, { type Sharp } from 'sharp';
import { RenderError, type SkinSettings } from '../render-request.ts';
import { portrait } from '../samples/portrait.ts';
import { renderSkin } from './render-skin.ts';
import { inFolder, meanDifference, rendered } from './test/a-render.ts';

const PERSON = portrait({ width: 120, height: 150, seed: 2, skinTone: 'olive' });
const STRONG: SkinSettings = { mode: 'creative', sharpen: 60, smartGrain: 30, seed: 3 };

function person(): Sharp {
  return sharp(PERSON.rgb, { raw: { width: 120, height: 150, channels: 3 } });
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
      assert.deepEqual([result.format, result.width, result.height], [format, 120, 150]);
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
    const alpha = Buffer.from(PERSON.parts.map((part) => part * 30));
    const input = await person()
      .joinChannel(alpha, { raw: { width: 120, height: 150, channels: 1 } })
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
    ['grey', async () => await person().greyscale().jpeg().toBuffer()],
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
    const rgb = new Uint8Array(96 * 64 * 3).map((_, at) => {
      const [column, band] = [Math.floor(at / 3) % 96, at % 3];
      return band === 0 ? 40 + (column >> 1) : band === 1 ? 90 + column : 60 + ((at * 7) % 24);
    });
    const result = await rendered({ width: 96, height: 64, rgb }, { mode: 'faithful', skinDetail: 100 });
    assert.ok(meanDifference(result, rgb) < 0.1);
  });

  it('fails with the fault of the picture for a broken one', async () => {
    await assert.rejects(renderedFile(Buffer.from('GIF89a, or so it says')), RenderError);
    const whole = await person().png().toBuffer();
    await assert.rejects(renderedFile(whole.subarray(0, whole.length >> 1)), RenderError);
  });

  it('tells how far it is, and stops with the reason of the signal', async () => {
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

function solid(width: number, height: number): Sharp {
  return sharp({ create: { width, height, channels: 3, background: '#d0a080' } });
}

function animation(): Sharp {
  const frames = Uint8Array.from({ length: 40 * 80 * 3 }, (_, at) => (at * 31) % 256);
  return sharp(frames, { raw: { width: 40, height: 80, channels: 3, pageHeight: 40 } });
}
