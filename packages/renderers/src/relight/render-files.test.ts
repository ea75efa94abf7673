import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import sharp from 'sharp';
import { difference, inFolder, painted, photo, relit } from '../../test/rendered.ts';
import { readPicture, writePicture } from '../pixels/picture.ts';
import { PLAIN_RELIGHT, type RelightRequest, RenderError } from '../render-request.ts';
import { renderRelight } from './render-relight.ts';

function requestFor(folder: string, input: string): RelightRequest {
  return {
    kind: 'relight',
    input,
    output: join(folder, 'out'),
    settings: { ...PLAIN_RELIGHT, prompt: 'golden hour' },
  };
}

describe('files', () => {
  it('keep their format and size', async () => {
    await inFolder(async (folder) => {
      const { width, height, rgb } = painted(61, 43, (x, y) => [200 * x, 200 * y, 90]);
      const raw = sharp(rgb, { raw: { width, height, channels: 3 } });
      for (const [format, expected] of [
        ['jpeg', 'jpeg'],
        ['png', 'png'],
        ['webp', 'webp'],
        ['tiff', 'png'],
        ['gif', 'png'],
      ] as const) {
        const input = join(folder, `in.${format}`);
        await raw.clone().toFormat(format).toFile(input);
        await renderRelight(requestFor(folder, input));
        const {
          format: found,
          width: w,
          height: h,
          chromaSubsampling,
        } = await sharp(join(folder, 'out')).metadata();
        assert.deepEqual([found, w, h], [expected, width, height]);
        if (format === 'jpeg') assert.equal(chromaSubsampling, '4:4:4');
      }
    });
  });

  it('keep their transparency to the bit', async () => {
    const picture = painted(50, 40, (x, y) => [220 * x, 120, 220 * y]);
    const alpha = Uint8Array.from({ length: 2000 }, (_, at) => (at * 7) % 256);
    const lit = await relit({ ...picture, alpha }, { prompt: 'night' });
    assert.deepEqual(lit.alpha, alpha);
    assert.ok(difference(picture, lit) > 5);
  });

  it('may be as small as a pixel or as narrow as a line', async () => {
    for (const [width, height] of [
      [1, 1],
      [2, 1],
      [1, 40],
      [3, 5],
      [37, 2],
      [13, 13],
    ] as const) {
      const lit = await relit(
        painted(width, height, () => [120, 130, 140]),
        { prompt: 'sunset, rim light, volumetric light' },
      );
      assert.deepEqual([lit.width, lit.height], [width, height]);
    }
  });

  it('may be of one color', async () => {
    for (const value of [0, 128, 255]) {
      const lit = await relit(
        painted(64, 48, () => [value, value, value]),
        { prompt: 'neon, foggy', engine: 'illusio' },
      );
      assert.equal(lit.rgb.length, 64 * 48 * 3);
    }
  });

  it('may be larger than the size at which light is computed, by any factor', async () => {
    for (const [width, height] of [
      [300, 20],
      [591, 30],
      [900, 17],
    ] as const) {
      const picture = painted(width, height, (x, y) => [40 + 150 * x, 90 + 60 * y, 120]);
      const lit = await relit(picture, { prompt: 'light from the left', strength: 0 });
      assert.ok(difference(picture, lit) < 0.3);
    }
  });

  it('may be CMYK, 16 bits or gray', async () => {
    await inFolder(async (folder) => {
      const { width, height, rgb } = painted(40, 30, (x, y) => [200 * x, 160 * y, 90]);
      const raw = sharp(rgb, { raw: { width, height, channels: 3 } });
      const inputs = {
        'cmyk.jpg': raw.clone().toColorspace('cmyk').jpeg(),
        'deep.png': raw.clone().toColorspace('rgb16').png(),
        'gray.png': raw.clone().greyscale().png(),
      };
      for (const [name, writing] of Object.entries(inputs)) {
        await writing.toFile(join(folder, name));
        await renderRelight(requestFor(folder, join(folder, name)));
        const made = await readPicture(join(folder, 'out'));
        assert.deepEqual([made.width, made.height], [width, height], name);
      }
    });
  });

  it('that cannot be read are the fault of the request', async () => {
    await inFolder(async (folder) => {
      const input = join(folder, 'in.png');
      await writePicture(await photo('coffee', 60), input);
      const half = join(folder, 'half.png');
      const whole = await readFile(input);
      await writeFile(half, whole.subarray(0, whole.length / 2));
      const text = join(folder, 'text.png');
      await writeFile(text, 'no picture');
      for (const broken of [half, text]) {
        await assert.rejects(renderRelight(requestFor(folder, broken)), RenderError);
        await assert.rejects(renderRelight({ ...requestFor(folder, input), reference: broken }), RenderError);
        await assert.rejects(renderRelight({ ...requestFor(folder, input), lightMap: broken }), RenderError);
      }
    });
  });
});

describe('while it works', () => {
  it('reports progress, which never decreases', async () => {
    await inFolder(async (folder) => {
      const input = join(folder, 'in.png');
      await writePicture(await photo('coffee', 60), input);
      const told: number[] = [];
      await renderRelight(requestFor(folder, input), { onProgress: (done) => told.push(done) });
      assert.ok(told.length >= 5);
      assert.deepEqual(
        told,
        [...told].sort((one, other) => one - other),
      );
      assert.equal(told.at(-1), 1);
    });
  });

  it('stops when it is aborted, and writes nothing', async () => {
    await inFolder(async (folder) => {
      const input = join(folder, 'in.png');
      await writePicture(await photo('coffee', 60), input);
      const stop = new AbortController();
      const onProgress = (done: number): void => {
        if (done > 0.3) stop.abort(new Error('stopped'));
      };
      await assert.rejects(
        renderRelight(requestFor(folder, input), { signal: stop.signal, onProgress }),
        /stopped/,
      );
      await assert.rejects(readFile(join(folder, 'out')), { code: 'ENOENT' });
    });
  });
});
