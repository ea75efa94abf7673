import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { it } from 'node:test';

import { aUser } from '../../../test/support/a-user.ts';
import { onEachDatabase } from '../../../test/support/on-each-database.ts';
import { createAssetLinks } from '../assets/asset-links.ts';
import { createAssetTagsService } from '../assets/asset-tags.service.ts';
import { nameAssets } from '../files/name-assets.ts';
import { startFilesServer } from '../files/test/files-server.ts';
import { createV2AssetsService } from './assets.service.ts';

onEachDatabase('assets of the Comfy API v2', (db) => {
  it('[API-3] [API-27] count as missing once they have expired, even before they are deleted', async () => {
    await using server = await startFilesServer(db());
    const { files } = server.cloud;
    const { id: ada } = await aUser(db());
    const clock = () => server.time.now;
    const assets = createV2AssetsService({
      db: db(),
      clock,
      files,
      assetTags: createAssetTagsService({ db: db(), clock }),
      linkTo: createAssetLinks(server.store, clock),
      limits: { maxFileBytes: 1000, maxBodyBytes: 2000 },
    });
    await using staged = await files.stage();
    await writeFile(staged.path, randomBytes(100));
    const place = { userId: ada, folder: 'input', fileName: 'a.bin' } as const;
    const { asset } = await files.adopt(staged.path, { ...place, expiresAt: server.time.now + 60_000 });
    const hash = `blake3:${asset.blake3}`;
    assert.equal(
      (await assets.get(ada, asset.id)).expires_at,
      new Date(server.time.now + 60_000).toISOString(),
    );
    assert.deepEqual(await nameAssets({ db: db(), clock }, ada, [asset.id]), { [asset.id]: 'a.bin' });
    server.time.now += 60_000;
    const missing = { code: 'resource.not_found' };
    await assert.rejects(async () => await assets.get(ada, asset.id), missing);
    await assert.rejects(async () => await assets.open(ada, asset.id), missing);
    await assert.rejects(async () => await assets.getByHash(ada, hash), missing);
    await assert.rejects(async () => await assets.remove(ada, asset.id), missing);
    await assert.rejects(async () => await assets.fromHash(ada, { hash }), { code: 'v2.blob_not_found' });
    await assert.rejects(async () => await nameAssets({ db: db(), clock }, ada, [asset.id]), {
      code: 'v2.missing_asset',
    });
    await server.cloud.tidy();
    assert.deepEqual(await server.left('store'), []);
  });
});
