import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';

import { aUser } from '../../../../test/support/a-user.ts';
import { onEachDatabase } from '../../../../test/support/on-each-database.ts';
import { startFilesServer } from '../test/files-server.ts';
import { aDeepPng, aLyingPng, aPicture, aPng, chunk, pixelsOf, withChunks } from '../test/pictures.ts';
import { file, send } from '../test/send-form.ts';

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

onEachDatabase('uploads', (db) => {
  it('of masks give the original the alpha of the mask, and keep its texts', async () => {
    await using under = await startFilesServer(db());
    const user = await aUser(db());
    const texts = [
      chunk('tEXt', Buffer.from('prompt\0{"1":{}}', 'latin1')),
      chunk('iTXt', Buffer.from('workflow\0\0\0\0\0{"ü":1}')),
    ];
    const spoilt = chunk('tEXt', Buffer.from('bad\0text'));
    spoilt[spoilt.length - 1] = (spoilt.at(-1) ?? 0) ^ 1;
    const png = await aPng([10, 20, 30, 0, 40, 50, 60, 255], 2, 1);
    const original = await send(under, user.id, {
      image: file(withChunks(png, ...texts, spoilt), 'original.png'),
    });
    const mask = await aPng([0, 0, 0, 7, 255, 255, 255, 200], 2, 1);
    for (const path of ['/upload/mask', '/api/upload/mask']) {
      const { status, body } = await send(
        under,
        user.id,
        {
          image: file(mask, 'clipspace-painted-masked-1.png'),
          original_ref: JSON.stringify({ filename: original.body.name, subfolder: '', type: 'input' }),
        },
        path,
      );
      assert.equal(status, 200);
      assert.deepEqual(body.metadata, {
        is_mask: true,
        original_hash: original.body.asset.asset_hash,
        mask_type: 'painted_masked',
        related_files: { painted_masked: body.name },
      });
      const result = await readFile(join((await under.cloud.files.foldersOf(user.id)).input, body.name));
      const own = 'clipspace-painted-masked-1.png';
      assert.equal(body.name, path === '/api/upload/mask' ? `${sha256(result)}.png` : own);
      assert.deepEqual((await pixelsOf(result)).pixels, [10, 20, 30, 7, 40, 50, 60, 200]);
      for (const each of texts) assert.ok(result.includes(each));
      assert.ok(!result.includes(spoilt));
    }
  });

  it('of masks take gray, opaque and deep pictures, and the alpha of a mask without one is opaque', async () => {
    await using under = await startFilesServer(db());
    const user = await aUser(db());
    const gray = await aPng([9, 99], 2, 1);
    const { body: original } = await send(under, user.id, { image: file(gray, 'gray.png') });
    const reference = JSON.stringify({ filename: `${original.name} [input]` });
    const opaque = await aPng([1, 2, 3, 4, 5, 6], 2, 1);
    const { status, body } = await send(
      under,
      user.id,
      { image: file(opaque, 'mask.png'), original_ref: reference },
      '/upload/mask',
    );
    assert.equal(status, 200);
    const result = await readFile(join((await under.cloud.files.foldersOf(user.id)).input, body.name));
    assert.deepEqual(await pixelsOf(result), {
      width: 2,
      height: 1,
      channels: 4,
      pixels: [9, 9, 9, 255, 99, 99, 99, 255],
    });
    const deep = await aDeepPng([9, 9, 9, 7, 99, 99, 99, 8], 2, 1);
    const { body: second } = await send(under, user.id, { image: file(new Uint8Array(deep), 'deep.png') });
    const { body: masked } = await send(
      under,
      user.id,
      {
        image: file(new Uint8Array(deep), 'mask.png'),
        original_ref: JSON.stringify({ filename: second.name, type: 'input' }),
      },
      '/upload/mask',
    );
    const again = await readFile(join((await under.cloud.files.foldersOf(user.id)).input, masked.name));
    assert.deepEqual((await pixelsOf(again)).pixels, [9, 9, 9, 7, 99, 99, 99, 8]);
  });

  it('of masks are refused for foreign, missing, unlike and unreadable originals', async () => {
    await using under = await startFilesServer(db());
    const [user, other] = [await aUser(db()), await aUser(db())];
    const { body: mine } = await send(under, user.id, { image: file(await aPicture(2, 2), 'a.png') });
    const { body: plain } = await send(under, user.id, { image: file(Buffer.from('<svg/>'), 'a.svg') });
    const { body: theirs } = await send(under, other.id, { image: file(await aPicture(2, 3), 'a.png') });
    const mask = file(await aPicture(2, 2, { r: 0, g: 0, b: 0, alpha: 0.5 }), 'mask.png');
    const wide = file(await aPicture(3, 2), 'mask.png');
    const huge = file(aLyingPng(20_000, 2), 'mask.png');
    const svg = file(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="2" height="2"/>'), 'm.svg');
    const at = (filename: unknown, rest: object = { type: 'input' }) => JSON.stringify({ filename, ...rest });
    const cases: readonly (readonly [File, string | undefined, number])[] = [
      [mask, at(mine.name), 200],
      [mask, undefined, 400],
      [mask, 'no json', 400],
      [mask, '[]', 400],
      [mask, 'null', 400],
      [mask, at(5), 400],
      [mask, at(''), 400],
      [mask, at(mine.name, { type: 'models' }), 400],
      [mask, at(mine.name, { type: 7 }), 400],
      [mask, at(`../input/${mine.name}`), 400],
      [mask, at('/etc/passwd'), 400],
      [mask, at(mine.name, {}), 404],
      [mask, at(theirs.name), 404],
      [mask, at('none.png'), 404],
      [mask, at(plain.name), 400],
      [wide, at(mine.name), 400],
      [huge, at(mine.name), 400],
      [svg, at(mine.name), 400],
    ];
    for (const [image, reference, expected] of cases) {
      const fields = { image, ...(reference !== undefined && { original_ref: reference }) };
      const { status } = await send(under, user.id, fields, '/api/upload/mask');
      assert.equal(status, expected, `${image.name} ${reference}`);
    }
    assert.deepEqual(
      (await under.left('users')).filter((path) => path.startsWith('.')),
      [],
    );
  });
});
