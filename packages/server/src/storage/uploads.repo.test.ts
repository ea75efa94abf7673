import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { it } from 'node:test';

import { aUser } from '../../test/support/a-user.ts';
import { onEachDatabase } from '../../test/support/on-each-database.ts';
import type { StoredUploadRow } from '../platform/db/schema/storage.ts';
import { newId } from '../platform/ids.ts';
import * as repo from './uploads.repo.ts';

const NOW = 1000;
const newHash = () => randomUUID().replaceAll('-', '').repeat(2);

onEachDatabase('uploads', (db) => {
  const anUpload = async (columns: Partial<StoredUploadRow> = {}): Promise<StoredUploadRow> => {
    const row: StoredUploadRow = {
      id: newId(),
      user_id: columns.user_id ?? (await aUser(db())).id,
      file_name: 'cat.png',
      content_type: null,
      announced_hash: null,
      content_hash: null,
      size: null,
      media_type: null,
      created_at: 1,
      expires_at: NOW + 1,
      uploaded_at: null,
      ...columns,
    };
    await repo.insertUpload(db(), row);
    return row;
  };
  const content = (hash = newHash(), size = 5) => ({ content_hash: hash, size, media_type: 'image/png' });

  it('are found as they were inserted', async () => {
    const row = await anUpload({ ...content(), size: 2 ** 40, uploaded_at: 5 });
    assert.deepEqual(await repo.findUpload(db(), row.id), row);
    assert.equal(await repo.findUpload(db(), newId()), undefined);
  });

  it('are found by content for their own user, until they expire and only with their bytes', async () => {
    const row = await anUpload({ ...content(), uploaded_at: 5 });
    const hash = row.content_hash ?? '';
    assert.equal((await repo.findUploaded(db(), row.user_id, hash, NOW))?.id, row.id);
    assert.equal(await repo.findUploaded(db(), row.user_id, hash, NOW + 1), undefined);
    assert.equal(await repo.findUploaded(db(), (await aUser(db())).id, hash, NOW), undefined);
    const claimed = await anUpload(content());
    assert.equal(await repo.findUploaded(db(), claimed.user_id, claimed.content_hash ?? '', NOW), undefined);
  });

  it('are counted for one user, the same bytes once, expired ones not at all', async () => {
    const { user_id: userId } = await anUpload({ expires_at: NOW + 9 });
    const twice = content(newHash(), 7);
    await anUpload({ user_id: userId, ...twice, uploaded_at: 5, expires_at: NOW + 3 });
    await anUpload({ user_id: userId, ...twice, uploaded_at: 5 });
    await anUpload({ user_id: userId, ...content(newHash(), 2 ** 33) });
    await anUpload({ user_id: userId, ...content(newHash(), 100), expires_at: NOW });
    await anUpload({ ...twice });
    const all = { uploads: 4, waiting: 2, bytes: 7 + 2 ** 33, nextExpiry: NOW + 1 };
    assert.deepEqual(await repo.readUsage(db(), userId, NOW), all);
    const other = await repo.readUsage(db(), userId, NOW, twice.content_hash);
    assert.equal(other.bytes, 2 ** 33);
    const nobody = (await aUser(db())).id;
    assert.deepEqual(await repo.readUsage(db(), nobody, NOW), {
      uploads: 0,
      waiting: 0,
      bytes: 0,
      nextExpiry: 0,
    });
  });

  it('accept claims until their bytes are stored, and then only of the same bytes', async () => {
    const { id } = await anUpload();
    const [first, second] = [content(), content()];
    assert.equal(await repo.claimContent(db(), id, first, NOW), true);
    assert.equal(await repo.claimContent(db(), id, second, NOW), true);
    assert.equal(await repo.markUploaded(db(), id, first.content_hash, 7), false);
    assert.equal(await repo.markUploaded(db(), id, second.content_hash, 8), true);
    assert.equal(await repo.markUploaded(db(), id, second.content_hash, 9), true);
    assert.equal(await repo.claimContent(db(), id, first, NOW), false);
    assert.equal(await repo.claimContent(db(), id, second, NOW), true);
    assert.equal(await repo.claimContent(db(), id, second, NOW + 1), false);
    assert.partialDeepStrictEqual(await repo.findUpload(db(), id), { ...second, uploaded_at: 8 });
  });

  it('keep their content alive until the last of them expires', async () => {
    const shared = content();
    const first = await anUpload({ ...shared, expires_at: NOW });
    const second = await anUpload({ ...shared, expires_at: NOW + 5 });
    assert.equal(await repo.isContentAlive(db(), shared.content_hash, NOW + 4), true);
    assert.equal(await repo.isContentAlive(db(), shared.content_hash, NOW + 5), false);
    assert.ok((await repo.listExpiredContents(db(), NOW, 1000)).includes(shared.content_hash));
    await repo.deleteExpired(db(), shared.content_hash, NOW);
    assert.equal(await repo.findUpload(db(), first.id), undefined);
    assert.ok(await repo.findUpload(db(), second.id));
    assert.equal((await repo.listExpiredContents(db(), NOW, 1000)).includes(shared.content_hash), false);
  });

  it('without bytes are deleted when they expire, and no others', async () => {
    const [ended, alive] = [await anUpload({ expires_at: NOW }), await anUpload()];
    const withBytes = await anUpload({ ...content(), expires_at: NOW });
    await repo.deleteExpired(db(), null, NOW);
    assert.equal(await repo.findUpload(db(), ended.id), undefined);
    assert.ok(await repo.findUpload(db(), alive.id));
    assert.ok(await repo.findUpload(db(), withBytes.id));
  });
});
