import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { type TemporaryFolder, temporaryFolder } from '@atelier/testing';

import { aUser } from '../../test/support/a-user.ts';
import { onEachDatabase } from '../../test/support/on-each-database.ts';
import type { FileStore } from '../platform/files/file-store.ts';
import { createLocalFileStore } from '../platform/files/local-file-store.ts';
import { createUrlSigner } from '../platform/files/signed-urls.ts';
import { filesIn } from '../platform/files/test/file-server.ts';
import { newId } from '../platform/ids.ts';
import { Secret } from '../platform/secret.ts';
import { createStorageLinks } from './storage-links.ts';
import { claimContent, findUpload } from './uploads.repo.ts';
import { createUploadsService } from './uploads.service.ts';

const DAY_MS = 24 * 3_600_000;
const MAX_BYTES = 1000;

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

async function* pieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes.subarray(0, 3);
  yield bytes.subarray(3);
}

onEachDatabase('the day of an upload', (db) => {
  /** A service on a folder of its own, with a manual clock. */
  async function start(watch: (files: FileStore) => FileStore = (files) => files) {
    const folder: TemporaryFolder = await temporaryFolder();
    const time = { now: Date.now() };
    const clock = () => time.now;
    const common = {
      key: new Secret(new Uint8Array(randomBytes(32))),
      baseUrl: () => 'http://x.test',
      clock,
    };
    const links = createStorageLinks(common);
    const path = join(folder.path, 'uploads');
    const store = await createLocalFileStore({ folder: path, signer: createUrlSigner(common) });
    const uploads = createUploadsService({
      db: db(),
      clock,
      files: watch(store),
      links,
      maxFileBytes: MAX_BYTES,
      maxAccountBytes: 3 * MAX_BYTES,
    });
    const announce = async (userId: string, hash?: string) => {
      const answer = await uploads.announce(userId, { file_name: 'a.bin', ...(hash && { file_hash: hash }) });
      const url = new URL(answer.upload_url);
      const seal = {
        expires: url.searchParams.get('expires') ?? '',
        signature: url.searchParams.get('signature') ?? '',
      };
      return { ...answer, id: url.pathname.split('/').at(-1) ?? '', seal };
    };
    return {
      uploads,
      links,
      store,
      time,
      path,
      announce,
      put: async (userId: string, bytes: Uint8Array) => {
        const { id } = await announce(userId);
        await uploads.take(id, pieces(bytes));
        return id;
      },
      kept: async () => (await filesIn(path)).map((file) => file.split('/').at(-1)),
      [Symbol.asyncDispose]: async () => await folder[Symbol.asyncDispose](),
    };
  }

  test('[STO-4] both links and the upload itself end at the same second', async () => {
    await using storage = await start();
    const { id, seal, expires_at: end } = await storage.announce((await aUser(db())).id);
    assert.equal(Date.parse(end), Number(seal.expires) * 1000);
    assert.ok(Date.parse(end) - storage.time.now >= DAY_MS);
    assert.ok(Date.parse(end) - storage.time.now <= DAY_MS + 1000);
    storage.time.now = Date.parse(end) - 1;
    storage.links.verifyUpload(id, seal);
    storage.time.now = Date.parse(end);
    assert.throws(() => storage.links.verifyUpload(id, seal), { code: 'file.link_expired' });
    // The bytes came in time, but not all of them.
    await assert.rejects(storage.uploads.take(id, pieces(randomBytes(10))), { code: 'file.link_expired' });
    assert.deepEqual(await storage.kept(), []);
  });

  test('[STO-16] what has ended is removed with its bytes, and nothing before', async () => {
    await using storage = await start();
    const { id: userId } = await aUser(db());
    const ended = await storage.put(userId, randomBytes(10));
    const waiting = await storage.announce(userId);
    await storage.uploads.tidy();
    assert.equal((await storage.kept()).length, 1);
    storage.time.now += DAY_MS / 2;
    const later = randomBytes(10);
    const alive = await storage.put(userId, later);
    storage.time.now += DAY_MS / 2 + 1000;
    await storage.uploads.tidy();
    assert.deepEqual(await storage.kept(), [sha256(later)]);
    assert.equal(await findUpload(db(), ended), undefined);
    assert.equal(await findUpload(db(), waiting.id), undefined);
    assert.ok(await findUpload(db(), alive));
  });

  test('[STO-16] bytes stay while any upload of anybody still has them', async () => {
    await using storage = await start();
    const bytes = randomBytes(10);
    const { id: first } = await aUser(db());
    await storage.put(first, bytes);
    storage.time.now += DAY_MS / 3;
    const other = await storage.put((await aUser(db())).id, bytes);
    storage.time.now += DAY_MS / 3;
    const again = await storage.announce(first, sha256(bytes));
    assert.equal(again.existing_file, true);
    for (const hash of [sha256(bytes), sha256(bytes), undefined]) {
      storage.time.now += DAY_MS / 3 + 1000;
      await storage.uploads.tidy();
      assert.deepEqual(await storage.kept(), hash ? [hash] : []);
    }
    for (const id of [other, again.id]) assert.equal(await findUpload(db(), id), undefined);
  });

  test('[STO-16] bytes that come again while they are swept are there afterwards', async () => {
    const sweeps: (() => Promise<void>)[] = [];
    await using storage = await start((files) => ({
      ...files,
      put: async (source, options) => {
        const file = await files.put(source, options);
        for (const sweep of sweeps) await sweep();
        return file;
      },
    }));
    const { id: userId } = await aUser(db());
    const bytes = randomBytes(10);
    await storage.put(userId, bytes);
    storage.time.now += DAY_MS + 1000;
    sweeps.push(storage.uploads.tidy);
    const id = await storage.put(userId, bytes);
    assert.deepEqual(await storage.kept(), [sha256(bytes)]);
    assert.equal((await storage.uploads.served(id)).hash, sha256(bytes));
  });

  test('[STO-13] of different bytes at once one is kept, and of the others nothing', async () => {
    await using storage = await start();
    const { id } = await storage.announce((await aUser(db())).id);
    const contents = Array.from({ length: 6 }, () => randomBytes(10));
    const outcomes = await Promise.allSettled(
      contents.map(async (bytes) => await storage.uploads.take(id, pieces(bytes))),
    );
    const winners = contents.filter((_, index) => outcomes[index]?.status === 'fulfilled');
    assert.equal(winners.length, 1);
    assert.deepEqual(await storage.kept(), [sha256(winners[0] ?? assert.fail())]);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') assert.equal(outcome.reason.code, 'storage.already_uploaded');
    }
  });

  test('[STO-11] bytes that a crash left behind are replaced by those that come next', async () => {
    await using storage = await start();
    const [lost, right] = [randomBytes(10), randomBytes(10)];
    const { id } = await storage.announce((await aUser(db())).id);
    await storage.store.put(pieces(lost), { maxBytes: MAX_BYTES });
    const content = { content_hash: sha256(lost), size: 10, media_type: 'a/b' };
    await claimContent(db(), id, content, storage.time.now);
    await assert.rejects(storage.uploads.served(id), { code: 'resource.not_found' });
    await storage.uploads.take(id, pieces(right));
    assert.deepEqual(await storage.kept(), [sha256(right)]);
  });

  test('[STO-11] a disk that fails once leaves an upload that can be made again', async () => {
    let fails = true;
    await using storage = await start((files) => ({
      ...files,
      put: async (source, options) => {
        const accept: typeof options.accept = async (file) => {
          await options.accept?.(file);
          if (fails) throw new Error('the disk is full');
        };
        return await files.put(source, { ...options, accept });
      },
    }));
    const { id } = await storage.announce((await aUser(db())).id);
    await assert.rejects(storage.uploads.take(id, pieces(randomBytes(10))), { message: 'the disk is full' });
    await assert.rejects(storage.uploads.served(id), { code: 'resource.not_found' });
    fails = false;
    const right = randomBytes(10);
    await storage.uploads.take(id, pieces(right));
    assert.deepEqual(await storage.kept(), [sha256(right)]);
  });

  test('[STO-14] bytes that are not there any more do not count as uploaded', async () => {
    await using storage = await start();
    const { id: userId } = await aUser(db());
    const bytes = randomBytes(10);
    const id = await storage.put(userId, bytes);
    await rm(storage.path, { recursive: true });
    assert.equal((await storage.announce(userId, sha256(bytes))).existing_file, false);
    assert.equal((await storage.uploads.served(id)).hash, sha256(bytes));
  });

  test('[STO-14] an upload that has ended does not count', async () => {
    await using storage = await start();
    const { id: userId } = await aUser(db());
    const bytes = randomBytes(10);
    await storage.put(userId, bytes);
    storage.time.now += DAY_MS + 1000;
    assert.equal((await storage.announce(userId, sha256(bytes))).existing_file, false);
  });

  test('[STO-15] bytes of an account are bounded, and free again when the first have ended', async () => {
    await using storage = await start();
    const { id: userId } = await aUser(db());
    const bytes = randomBytes(MAX_BYTES);
    await storage.put(userId, bytes);
    storage.time.now += DAY_MS / 2;
    await storage.put(userId, randomBytes(MAX_BYTES));
    await storage.put(userId, bytes);
    const { id } = await storage.announce(userId);
    const small = await storage.announce(userId);
    await storage.uploads.take(small.id, pieces(randomBytes(1)));
    const untilFirstEnds = DAY_MS / 2000;
    const refused = storage.uploads.take(id, pieces(randomBytes(MAX_BYTES)));
    await assert.rejects(refused, (error: { code: string; retryAfterSeconds: number }) => {
      assert.equal(error.code, 'storage.limit');
      assert.ok(Math.abs(error.retryAfterSeconds - untilFirstEnds) <= 1);
      return true;
    });
    assert.equal((await storage.kept()).length, 3);
    await storage.uploads.take(id, pieces(bytes));
    storage.time.now += DAY_MS + 1000;
    const { id: next } = await storage.announce(userId);
    await storage.uploads.take(next, pieces(randomBytes(MAX_BYTES)));
  });

  test('[STO-15] an account that is full gets no link, except to bytes that it has', async () => {
    await using storage = await start();
    const { id: userId } = await aUser(db());
    const bytes = randomBytes(MAX_BYTES);
    for (const each of [bytes, randomBytes(MAX_BYTES), randomBytes(MAX_BYTES)])
      await storage.put(userId, each);
    await assert.rejects(storage.announce(userId), { code: 'storage.limit' });
    assert.equal((await storage.announce(userId, sha256(bytes))).existing_file, true);
    assert.equal((await storage.announce((await aUser(db())).id)).existing_file, false);
  });

  test('[STO-15] an account has at most 10,000 uploads, also of bytes that it has', async () => {
    await using storage = await start();
    const { id: userId } = await aUser(db());
    const bytes = randomBytes(10);
    const row = await findUpload(db(), await storage.put(userId, bytes));
    assert.ok(row);
    for (let done = 1; done < 10_000; done += 1000) {
      const some = Array.from({ length: Math.min(1000, 10_000 - done) }, () => ({ ...row, id: newId() }));
      await db().insertInto('stored_uploads').values(some).execute();
    }
    await assert.rejects(storage.announce(userId, sha256(bytes)), { code: 'storage.limit' });
  });
});
