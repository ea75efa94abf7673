import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import sharp from 'sharp';

import { validatePicture } from './validate-picture.ts';

describe('a picture that comes with a request', () => {
  const any = { isFrame: false };
  let png: Buffer;
  let jpeg: Buffer;

  before(async () => {
    const blank = sharp({ create: { width: 40, height: 9, channels: 3, background: 'red' } });
    png = await blank.clone().png().toBuffer();
    jpeg = await blank.clone().jpeg().toBuffer();
  });

  it('is PNG, JPEG or WebP', async () => {
    const gif = await sharp(png).gif().toBuffer();
    const webp = await sharp(png).webp().toBuffer();
    for (const good of [png, jpeg, webp]) assert.equal(await validatePicture(good, any), undefined);
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><rect width="9" height="9"/></svg>');
    for (const bad of [gif, svg, Buffer.from('hello'), Buffer.alloc(0), png.subarray(0, 10)]) {
      assert.match((await validatePicture(bad, any)) ?? '', /must be a/);
    }
  });

  it('is what its data URL says', async () => {
    assert.equal(await validatePicture(jpeg, { ...any, announced: 'image/jpg' }), undefined);
    assert.equal(await validatePicture(jpeg, { ...any, announced: '' }), undefined);
    assert.match(
      (await validatePicture(jpeg, { ...any, announced: 'image/png' })) ?? '',
      /image\/jpeg, not image\/png/,
    );
  });

  it('has no more pixels than the limit, according to its header', async () => {
    const huge = Buffer.from(png);
    huge.writeUInt32BE(20_000, 16);
    huge.writeUInt32BE(10_000, 20);
    assert.match((await validatePicture(huge, any)) ?? '', /20000 by 10000/);
  });

  it('as a start frame has sides of 1:4 to 4:1', async () => {
    assert.match((await validatePicture(png, { isFrame: true })) ?? '', /1:4 to 4:1, not 40 by 9/);
    const good = await sharp(png).resize(40, 10, { fit: 'fill' }).png().toBuffer();
    assert.equal(await validatePicture(good, { isFrame: true }), undefined);
  });
});
