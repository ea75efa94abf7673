import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { link, mkdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { blake3 } from 'hash-wasm';

import { aUser } from '../../../test/support/a-user.ts';
import { onEachDatabase } from '../../../test/support/on-each-database.ts';
import { newId } from '../../platform/ids.ts';
import * as repo from './assets.repo.ts';
import { type FilesServer, OUTPUT_MS, startFilesServer, TEMP_MS } from './test/files-server.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

onEachDatabase('files of users', (db) => {
  const aJob = async () => ({ id: newId(), userId: (await aUser(db())).id });
  const write = async (under: FilesServer, userId: string, place: string, text: string) => {
    const folders = await under.cloud.files.foldersOf(userId);
    const path = join(folders.input, '..', place);
    await mkdir(join(path, '..'), { recursive: true });
    await writeFile(path, text);
    return path;
  };
  const entry = (filename: string, type = 'output', subfolder = '') => ({ filename, subfolder, type });

  it('are kept as a node names them: row, bytes, tags, hashes and expiry', async () => {
    await using under = await startFilesServer(db());
    const job = await aJob();
    const path = await write(under, job.userId, 'output/deep/er/one.txt', 'one');
    await write(under, job.userId, 'temp/two.bin', 'two!');
    const output = {
      text: ['one.txt', 5, null, { filename: 7 }],
      images: [entry('none.png'), entry('one.txt', 'output', 'deep/er'), entry('two.bin', 'temp')],
      again: [entry('two.bin', 'temp')],
    };
    await under.cloud.files.keep(job, '9', output);
    const one = await repo.findAssetAt(db(), job.userId, {
      folder: 'output',
      subfolder: 'deep/er',
      fileName: 'one.txt',
    });
    assert.ok(one);
    assert.deepEqual(
      { ...one, id: '' },
      {
        id: '',
        user_id: job.userId,
        folder: 'output',
        subfolder: 'deep/er',
        file_name: 'one.txt',
        name: 'one.txt',
        content_hash: sha256('one'),
        blake3: await blake3('one'),
        size: 3,
        media_type: 'text/plain',
        user_metadata: '{}',
        metadata: '{}',
        preview_id: null,
        job_id: job.id,
        node_id: '9',
        output_key: 'images',
        output_index: 1,
        created_at: under.time.now,
        updated_at: under.time.now,
        last_access_at: under.time.now,
        width: null,
        height: null,
        expires_at: under.time.now + OUTPUT_MS,
      },
    );
    assert.deepEqual(await repo.listTags(db(), one.id), ['output']);
    assert.deepEqual(await under.store.stat(one.content_hash), { size: 3 });
    assert.equal(await readFile(path, 'utf8'), 'one');
    const two = await repo.findAssetAt(db(), job.userId, {
      folder: 'temp',
      subfolder: '',
      fileName: 'two.bin',
    });
    assert.equal(two?.expires_at, under.time.now + TEMP_MS);
    assert.equal(two?.output_key, 'images');
    assert.deepEqual(await under.cloud.files.usageOf(job.userId), {
      bytes: 7,
      files: 2,
    });
  });

  it('are kept once, however often they are named, even concurrently, and live longer when named again', async () => {
    await using under = await startFilesServer(db());
    const job = await aJob();
    await write(under, job.userId, 'temp/a.txt', 'a');
    const output = { images: [entry('a.txt', 'temp')] };
    await Promise.all(Array.from({ length: 5 }, () => under.cloud.files.keep(job, '1', output)));
    const first = await repo.findAssetAt(db(), job.userId, {
      folder: 'temp',
      subfolder: '',
      fileName: 'a.txt',
    });
    under.time.now += TEMP_MS - 1;
    await under.cloud.files.keep(await aJob(), '1', output);
    await under.cloud.files.keep({ ...job, id: newId() }, '1', output);
    await under.cloud.tidy();
    const second = await repo.findAssetAt(db(), job.userId, {
      folder: 'temp',
      subfolder: '',
      fileName: 'a.txt',
    });
    assert.deepEqual(second, { ...first, expires_at: under.time.now + TEMP_MS });
    assert.equal((await under.cloud.files.usageOf(job.userId)).files, 1);
  });

  it('are never read from outside the folder of their user', async () => {
    await using under = await startFilesServer(db());
    const job = await aJob();
    const other = await aJob();
    const secret = await write(under, other.userId, 'output/secret.txt', 'secret');
    const folders = await under.cloud.files.foldersOf(job.userId);
    await symlink(secret, join(folders.output, 'link.txt'));
    await symlink(join(secret, '..'), join(folders.output, 'sub'));
    await writeFile(join(folders.input, 'mine.txt'), 'mine');
    const up = `../../${other.userId}/output`;
    await under.cloud.files.keep(job, '1', {
      images: [
        entry(secret),
        entry(`${up}/secret.txt`),
        entry('secret.txt', 'output', up),
        entry('secret.txt', 'output', join(secret, '..')),
        entry('secret.txt', 'output', up.replaceAll('/', '\\')),
        entry('link.txt'),
        entry('secret.txt', 'output', 'sub'),
        entry('sub'),
        entry('..'),
        entry(''),
        entry('a\0b'),
        entry('x'.repeat(300)),
        entry('../input/mine.txt'),
        entry('mine.txt', 'input'),
        entry('mine.txt', 'elsewhere'),
      ],
    });
    assert.equal((await under.cloud.files.usageOf(job.userId)).files, 0);
    assert.deepEqual(await under.left('store'), []);
  });

  it('[FIL-19] are removed when they expire, with their bytes unless another asset has them', async () => {
    await using under = await startFilesServer(db());
    const [job, other] = [await aJob(), await aJob()];
    const path = await write(under, job.userId, 'temp/a.txt', 'shared');
    await write(under, job.userId, 'temp/b.txt', 'alone');
    await write(under, other.userId, 'output/c.txt', 'shared');
    await under.cloud.files.keep(job, '1', { images: [entry('a.txt', 'temp'), entry('b.txt', 'temp')] });
    await under.cloud.files.keep(other, '1', { images: [entry('c.txt')] });
    under.time.now += TEMP_MS - 1;
    await under.cloud.tidy();
    assert.equal((await under.cloud.files.usageOf(job.userId)).files, 2);
    under.time.now += 1;
    await under.cloud.tidy();
    assert.deepEqual(await under.cloud.files.usageOf(job.userId), {
      bytes: 0,
      files: 0,
    });
    await assert.rejects(stat(path), { code: 'ENOENT' });
    assert.equal(await under.store.stat(sha256('alone')), undefined);
    assert.deepEqual(await under.store.stat(sha256('shared')), { size: 6 });
    under.time.now += OUTPUT_MS;
    await under.cloud.tidy();
    assert.deepEqual([await under.left('store'), await under.left('users')], [[], []]);
  });

  it('keep their bytes when the same content is added while it is removed', async () => {
    await using under = await startFilesServer(db());
    const jobs = await Promise.all(Array.from({ length: 4 }, aJob));
    const { files } = under.cloud;
    for (const round of [1, 2, 3, 4, 5]) {
      const text = `content ${round}`;
      const name = `${round}.txt`;
      const output = { images: [entry(name)] };
      for (const job of jobs) await write(under, job.userId, `output/${name}`, text);
      const [first, ...rest] = jobs;
      assert.ok(first);
      await files.keep(first, '1', output);
      const asset = await repo.findAssetAt(db(), first.userId, {
        folder: 'output',
        subfolder: '',
        fileName: name,
      });
      await Promise.all([
        files.remove(first.userId, asset?.id ?? ''),
        ...rest.map(async (job) => await files.keep(job, '1', output)),
      ]);
      assert.deepEqual(await under.store.stat(sha256(text)), { size: text.length });
      for (const job of rest) {
        const kept = await repo.findAssetAt(db(), job.userId, {
          folder: 'output',
          subfolder: '',
          fileName: name,
        });
        await files.remove(job.userId, kept?.id ?? '');
      }
      assert.equal(await under.store.stat(sha256(text)), undefined);
    }
  });

  it('are refused when there is no room', async () => {
    await using under = await startFilesServer(db(), { quotaBytes: 10 });
    const job = await aJob();
    const { files } = under.cloud;
    const take = async (text: string, name: string) => {
      await using staged = await files.stage();
      await writeFile(staged.path, text);
      return await files.adopt(staged.path, { userId: job.userId, folder: 'input', fileName: name });
    };
    await files.assertRoom(job.userId);
    await take('123456', 'a');
    await assert.rejects(take('12345', 'b'), { code: 'cloud.storage_full' });
    assert.equal(await under.store.stat(sha256('12345')), undefined);
    const results = await Promise.allSettled(['12', '34', '56', '78'].map((text) => take(text, text)));
    assert.deepEqual(results.map(({ status }) => status).toSorted(), [
      'fulfilled',
      'fulfilled',
      'rejected',
      'rejected',
    ]);
    await assert.rejects(files.assertRoom(job.userId), {
      code: 'cloud.storage_full',
      message: /Delete assets .*tags_any=temp .* after 1 h\./,
    });
    assert.deepEqual(
      (await under.left('users')).filter((path) => path.startsWith('.')),
      [],
    );
  });

  it('of a job are kept while there is any room left; further ones are removed', async () => {
    await using under = await startFilesServer(db(), { quotaBytes: 10 });
    const { files } = under.cloud;
    const job = await aJob();
    const names = ['a.txt', 'b.txt', 'c.txt', 'd.txt', 'e.txt'];
    for (const name of names) await write(under, job.userId, `output/${name}`, `of ${name}`);
    const keeping = files.keep(job, '1', { images: names.map((name) => entry(name)) });
    await assert.rejects(keeping, { code: 'cloud.storage_full' });
    assert.deepEqual(await files.usageOf(job.userId), { bytes: 16, files: 2 });
    assert.equal((await under.left('users')).filter((path) => path.endsWith('.txt')).length, 2);
    // What is there already needs no room.
    const kept = (await under.left('users')).find((path) => path.endsWith('.txt'))?.slice(-5);
    await files.keep(job, '2', { images: [entry(kept ?? '')] });
  });

  it('replace the file at their place, whose bytes are removed', async () => {
    await using under = await startFilesServer(db());
    const job = await aJob();
    const path = await write(under, job.userId, 'output/a.txt', 'old');
    await under.cloud.files.keep(job, '1', { images: [entry('a.txt')] });
    await rm(path);
    await writeFile(path, 'newer');
    const added = await under.cloud.files.adopt(path, {
      userId: job.userId,
      folder: 'output',
      fileName: 'a.txt',
    });
    assert.equal(added.isNew, true);
    assert.deepEqual(await under.cloud.files.usageOf(job.userId), {
      bytes: 5,
      files: 1,
    });
    assert.equal(await under.store.stat(sha256('old')), undefined);
  });

  it('are copied to another place without copying bytes, and removed only by their owner', async () => {
    await using under = await startFilesServer(db());
    const [job, other] = [await aJob(), await aJob()];
    const { files } = under.cloud;
    await write(under, job.userId, 'output/a.txt', 'content');
    await files.keep(job, '1', { images: [entry('a.txt')] });
    const source = await repo.findAssetAt(db(), job.userId, {
      folder: 'output',
      subfolder: '',
      fileName: 'a.txt',
    });
    assert.ok(source);
    const target = { userId: job.userId, folder: 'input', subfolder: 'x/y', fileName: 'b.txt' } as const;
    const { asset } = await files.copy(source, { ...target, tags: ['mine'] });
    assert.equal((await files.copy(source, target)).isNew, false);
    assert.deepEqual(await repo.listTags(db(), asset.id), ['input', 'mine']);
    assert.equal(
      await readFile(join((await files.foldersOf(job.userId)).input, 'x', 'y', 'b.txt'), 'utf8'),
      'content',
    );
    assert.equal(await files.remove(other.userId, asset.id), undefined);
    assert.equal((await files.remove(job.userId, source.id))?.id, source.id);
    assert.deepEqual(await under.store.stat(source.content_hash), { size: 7 });
    await files.remove(job.userId, asset.id);
    assert.deepEqual(await under.left('store'), []);
    await assert.rejects(files.copy(source, target), { code: 'resource.not_found' });
    assert.equal((await files.usageOf(job.userId)).files, 0);
  });

  it('leave no row behind when their bytes cannot be kept', async () => {
    await using under = await startFilesServer(db());
    const job = await aJob();
    await write(under, job.userId, 'output/a.txt', 'in the way');
    const hash = sha256('in the way');
    await writeFile(join(under.folder, 'store', hash.slice(0, 2)), 'no folder');
    await assert.rejects(under.cloud.files.keep(job, '1', { images: [entry('a.txt')] }));
    assert.equal(
      await repo.findAssetAt(db(), job.userId, { folder: 'output', subfolder: '', fileName: 'a.txt' }),
      undefined,
    );
    assert.equal((await under.cloud.files.usageOf(job.userId)).files, 0);
  });

  it('without a row are removed from temporary folders once they are old', async () => {
    await using under = await startFilesServer(db());
    const job = await aJob();
    const kept = await write(under, job.userId, 'temp/kept.txt', 'kept');
    await under.cloud.files.keep(job, '1', { images: [entry('kept.txt', 'temp')] });
    const stray = await write(under, job.userId, 'temp/.scratch-1/stray.txt', 'stray');
    const young = await write(under, job.userId, 'temp/young.txt', 'young');
    const staged = await under.cloud.files.stage();
    await writeFile(staged.path, 'staged');
    const old = new Date(under.time.now - TEMP_MS - 1000);
    for (const path of [kept, stray, staged.path]) await utimes(path, old, old);
    await under.cloud.tidy();
    const left = await under.left('users');
    assert.deepEqual(
      left,
      [kept, young].map((path) => path.slice(join(under.folder, 'users').length + 1)),
    );
  });

  it('are offered by combos, to their own user only', async () => {
    await using under = await startFilesServer(db());
    const [job, other] = [await aJob(), await aJob()];
    assert.deepEqual(await under.cloud.files.places.namesOf(job.userId).list('input', ''), []);
    const path = await write(under, job.userId, 'input/a.png', 'a');
    await link(path, join(path, '..', 'b.png'));
    assert.deepEqual((await under.cloud.files.places.namesOf(job.userId).list('input', '')).toSorted(), [
      'a.png',
      'b.png',
    ]);
    assert.deepEqual(await under.cloud.files.places.namesOf(other.userId).list('input', ''), []);
  });
});
