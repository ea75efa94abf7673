import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import sharp from 'sharp';

import { download, newSubmitter, type Submitter } from '../support/cloud.ts';
import { assertShape } from '../support/error-shapes.ts';
import { onAnyEngine } from '../support/servers.ts';
import {
  contentName,
  type Field,
  filesOf,
  hugePng,
  image,
  newPicture,
  pixelsOf,
  png,
  pngChunk,
  sendForm,
  type Uploaded,
  upload,
} from '../support/user-files.ts';

const DOORS = ['', '/api'];

onAnyEngine('masks', (server) => {
  let ada: Submitter;
  let bob: Submitter;
  before(async () => {
    [ada, bob] = [await newSubmitter(server.current), await newSubmitter(server.current)];
  });
  const PIXELS = [10, 20, 30, 0, 40, 50, 60, 255];
  const MASK = [0, 0, 0, 7, 255, 255, 255, 200];
  const reference = (filename: unknown, others: object = { type: 'input' }): Field => [
    'original_ref',
    JSON.stringify({ filename, ...others }),
  ];

  for (const door of DOORS) {
    test(`[FIL-8] ${door}/upload/mask gives the original the alpha of the mask, and keeps its texts`, async () => {
      const plain = await png(PIXELS, 2, 1);
      const text = pngChunk('tEXt', Buffer.from(`prompt\u0000{"1":"${door}"}`, 'latin1'));
      const original = Buffer.concat([plain.subarray(0, 33), text, plain.subarray(33)]);
      const { name, asset } = await upload(ada.api, original);
      const mask = await png(MASK, 2, 1);
      interface Masked extends Uploaded {
        readonly metadata: Readonly<Record<string, unknown>>;
      }
      const { status, body } = await sendForm<Masked>(ada.api, `${door}/upload/mask`, [
        image(mask, 'clipspace-painted-masked-123.png'),
        reference(name),
      ]);
      assert.equal(status, 200);
      assert.deepEqual(body.metadata, {
        is_mask: true,
        original_hash: asset.asset_hash,
        mask_type: 'painted_masked',
        related_files: { painted_masked: body.name },
      });
      const result = Buffer.from(await download(ada.api, { ...body, filename: body.name }));
      const own = 'clipspace-painted-masked-123.png';
      assert.equal(body.name, door === '/api' ? contentName(result, 'png') : own);
      assert.deepEqual((await pixelsOf(result)).pixels, [10, 20, 30, 7, 40, 50, 60, 200]);
      assert.ok(result.includes(text));
    });
  }

  test('[FIL-8] an opaque mask makes an opaque picture, and orientation is what is shown', async () => {
    const turned = await sharp(await png([9, 9, 9, 99, 99, 99], 2, 1))
      .withMetadata({ orientation: 6 })
      .png()
      .toBuffer();
    const { name } = await upload(ada.api, turned, 'turned.png');
    const { status, body } = await sendForm(ada.api, '/api/upload/mask', [
      reference(`${name} [input]`, {}),
      image(await png([1, 2, 3, 4, 5, 6], 1, 2), 'mask.png'),
    ]);
    assert.equal(status, 200, JSON.stringify(body));
    const { width, height, channels, pixels } = await pixelsOf(
      await download(ada.api, { ...body, filename: body.name }),
    );
    assert.deepEqual([width, height, channels], [1, 2, 4]);
    assert.deepEqual([pixels[3], pixels[7]], [255, 255]);
  });

  test('[FIL-9] a mask without a picture of the caller’s under it is refused', async () => {
    const own = await upload(ada.api, await newPicture(2, 2));
    const drawn = await upload(ada.api, Buffer.from('<svg/>'), 'a.svg');
    const foreign = await upload(bob.api, await newPicture(2, 2));
    const mask = image(await newPicture(2, 2), 'mask.png');
    const earlier = await filesOf(ada.api);
    for (const [fields, expected] of [
      [[mask], 400],
      [[mask, ['original_ref', 'no json']], 400],
      [[mask, ['original_ref', '[]']], 400],
      [[mask, ['original_ref', 'null']], 400],
      [[mask, reference(5)], 400],
      [[mask, reference('')], 400],
      [[mask, reference(own.name, { type: 'models' })], 400],
      [[mask, reference(`../input/${own.name}`)], 400],
      [[mask, reference('/etc/passwd')], 400],
      [[mask, reference('../../../../etc/passwd')], 400],
      [[mask, reference(own.name, {})], 404],
      [[mask, reference(foreign.name)], 404],
      [[mask, reference(foreign.asset.asset_hash)], 404],
      [[mask, reference('none.png')], 404],
      [[mask, reference(drawn.name)], 400],
      [[image(await newPicture(3, 2), 'mask.png'), reference(own.name)], 400],
      [[image(hugePng(20_000, 2), 'mask.png'), reference(own.name)], 400],
      [[image(Buffer.from('<svg/>'), 'mask.svg'), reference(own.name)], 400],
    ] as const) {
      const { status, body } = await sendForm(ada.api, '/api/upload/mask', fields);
      assert.equal(status, expected, JSON.stringify(fields.map(([, value]) => String(value).slice(0, 60))));
      assertShape(body, 'code');
    }
    assert.equal(await filesOf(ada.api), earlier);
  });
});
