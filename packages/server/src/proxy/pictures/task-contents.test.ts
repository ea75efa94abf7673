import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { it, type TestContext } from 'node:test';
import { temporaryFolder } from '@atelier/testing';

import { onEachDatabase } from '../../../test/support/on-each-database.ts';
import { type Db, withTransaction } from '../../platform/db/database.ts';
import type { FileStore } from '../../platform/files/file-store.ts';
import { createLocalFileStore } from '../../platform/files/local-file-store.ts';
import { createTaskContents } from './task-contents.ts';

async function contentsOn(t: TestContext, db: Db, watch: (store: FileStore) => FileStore = (store) => store) {
  const folder = await temporaryFolder();
  t.after(async () => await folder[Symbol.asyncDispose]());
  const store = await createLocalFileStore({
    folder: join(folder.path, 'tasks'),
    signer: { sign: () => '' },
  });
  const contents = createTaskContents({ db, store: watch(store) });
  const claim = async (hash: string) =>
    await withTransaction(db, async (tx) => await contents.claim(tx, hash));
  return { ...contents, claim };
}

onEachDatabase('the bytes of tasks', (db, engine) => {
  it('are kept for each task that stored them', async (t) => {
    const { putBytes, claim } = await contentsOn(t, db());
    const { hash } = await putBytes(randomBytes(100));
    assert.equal(await claim(hash), true);
    assert.equal(await claim(hash), true);
    assert.equal(await claim('0'.repeat(64)), false);
  });

  it('are deleted by a sweep, also for a task that stored them earlier', async (t) => {
    const { putBytes, claim, sweep } = await contentsOn(t, db());
    const bytes = randomBytes(100);
    const { hash } = await putBytes(bytes);
    await sweep([hash]);
    assert.equal(await claim(hash), false);
    await putBytes(bytes);
    assert.equal(await claim(hash), true);
  });

  it('are deleted when a task stores them again during a sweep', async (t) => {
    const begun = Promise.withResolvers<void>();
    const mayEnd = Promise.withResolvers<void>();
    const { putBytes, claim, sweep } = await contentsOn(t, db(), (store) => ({
      ...store,
      async delete(hash) {
        begun.resolve();
        await mayEnd.promise;
        return await store.delete(hash);
      },
    }));
    const bytes = randomBytes(100);
    const { hash } = await putBytes(bytes);
    const sweeping = sweep([hash]);
    await begun.promise;
    await putBytes(bytes);
    mayEnd.resolve();
    await sweeping;
    assert.equal(await claim(hash), false);
  });

  if (engine !== 'sqlite') return;
  it('are not looked up on the disk during a transaction', async (t) => {
    const { putBytes, claim } = await contentsOn(t, db(), (store) => ({
      ...store,
      stat: async () => await Promise.reject(new Error('the disk was asked')),
    }));
    const { hash } = await putBytes(randomBytes(100));
    assert.equal(await claim(hash), true);
  });
});
