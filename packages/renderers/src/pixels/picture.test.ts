import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import sharp, { type Sharp } from 'sharp';
import { RenderError } from '../render-request.ts';
import { readPicture, writePicture } from './picture.ts';

let folder = '';
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'picture-'));
});
after(async () => {
  await rm(folder, { recursive: true });
});

function flat(width: number, height: number, color: string): Sharp {
  return sharp({ create: { width, height, channels: 3, background: color } });
}

async function read(file: Sharp): Promise<Awaited<ReturnType<typeof readPicture>>> {
  const path = join(folder, 'input');
  await writeFile(path, await file.toBuffer());
  return await readPicture(path);
}

describe('reading a picture', () => {
  it('turns it upright as its EXIF data says', async () => {
    const picture = await read(flat(30, 20, '#804020').jpeg().withMetadata({ orientation: 6 }));
    assert.deepEqual([picture.width, picture.height, picture.format], [20, 30, 'jpeg']);
  });

  it('converts other color profiles to sRGB, in 8 and in 16 bits', async () => {
    const eight = await read(flat(4, 4, '#20c040').png().withIccProfile('p3'));
    const sixteen = await read(flat(4, 4, '#20c040').toColorspace('rgb16').png().withIccProfile('p3'));
    for (const { rgb } of [eight, sixteen]) {
      [0x20, 0xc0, 0x40].forEach((value, band) => {
        assert.ok(Math.abs((rgb[band] ?? 0) - value) <= 4, rgb.subarray(0, 3).join());
      });
    }
  });

  it('gives gray and CMYK pictures three channels', async () => {
    const gray = await read(flat(5, 4, '#606060').greyscale().png());
    assert.deepEqual([...gray.rgb.subarray(0, 3)], [96, 96, 96]);
    const ink = await read(flat(5, 4, '#c06040').toColorspace('cmyk').jpeg());
    assert.equal(ink.rgb.length, 60);
    assert.ok((ink.rgb[0] ?? 0) > (ink.rgb[2] ?? 0));
  });

  it('keeps transparency separate, and writes it back with the colors below it', async () => {
    const samples = Uint8Array.from({ length: 64 }, (_, at) => (at * 37) % 256);
    const picture = await read(sharp(samples, { raw: { width: 4, height: 4, channels: 4 } }).png());
    const path = join(folder, 'again.png');
    await writePicture(picture, path);
    assert.deepEqual(new Uint8Array(await sharp(path).raw().toBuffer()), samples);
  });

  it('takes the first frame of an animation', async () => {
    const frames = Uint8Array.from({ length: 8 * 16 * 3 }, (_, at) => (at < 8 * 8 * 3 ? 250 : 10));
    const animation = sharp(frames, { raw: { width: 8, height: 16, channels: 3, pageHeight: 8 } });
    const picture = await read(animation.gif());
    assert.deepEqual([picture.width, picture.height, picture.format], [8, 8, 'png']);
    assert.equal(picture.rgb[0], 250);
  });

  it('reduces it on request', async () => {
    const path = join(folder, 'large.png');
    await flat(60, 30, '#123456').png().toFile(path);
    const reduced = await readPicture(path, { longestEdge: 20 });
    assert.deepEqual([reduced.width, reduced.height], [20, 10]);
    const covering = await readPicture(path, { cover: { width: 7, height: 9 } });
    assert.deepEqual([covering.width, covering.height], [7, 9]);
  });

  for (const [what, bytes] of [
    ['text', Buffer.from('not a picture')],
    ['nothing', Buffer.alloc(0)],
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
  ] as const) {
    it(`refuses ${what}`, async () => {
      const path = join(folder, 'broken');
      await writeFile(path, bytes);
      await assert.rejects(readPicture(path), RenderError);
    });
  }

  it('refuses a truncated JPEG, and a picture that is too large', async () => {
    const samples = Uint8Array.from({ length: 30_000 }, (_, at) => (at * 7919) % 256);
    const whole = await sharp(samples, { raw: { width: 100, height: 100, channels: 3 } })
      .jpeg()
      .toBuffer();
    const path = join(folder, 'cut.jpg');
    await writeFile(path, whole.subarray(0, whole.length >> 1));
    await assert.rejects(readPicture(path), RenderError);
    await writeFile(path, await flat(16_385, 1, '#000').png().toBuffer());
    await assert.rejects(readPicture(path), /16385 by 1 pixels/);
  });
});
