import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';

import { aUser } from '../../../test/support/a-user.ts';
import { onEachDatabase } from '../../../test/support/on-each-database.ts';
import { newId } from '../../platform/ids.ts';
import { aQueue } from '../queue/test/a-queue.ts';
import * as repo from './assets.repo.ts';
import { type FilesServer, startFilesServer } from './test/files-server.ts';

const sha256 = (text: string) => hash('sha256', text);
const HOUR_MS = 3_600_000;

onEachDatabase('names of files in the database', (db) => {
  const start = async (options = {}) => await startFilesServer(db(), { ...options, namesIn: 'database' });
  const aJob = async () => ({ id: newId(), userId: (await aUser(db())).id });
  type Job = Awaited<ReturnType<typeof aJob>>;

  async function make(under: FilesServer, job: Job, name: string, text: string, subfolder = '') {
    await using staged = await under.cloud.files.stage();
    await writeFile(staged.path, text);
    const { id: jobId, userId } = job;
    const place = { folder: 'output', subfolder, fileName: name } as const;
    const file = { ...place, userId, jobId, size: text.length, sha256: sha256(text) };
    return await under.cloud.files.places.make(file, staged.path);
  }
  const named = (filename: string) => ({ images: [{ filename, subfolder: '', type: 'output' }] });
  const contents = async (under: FilesServer) =>
    (await under.left('store')).filter((path) => !path.startsWith('tmp'));

  it('a name is given once, and not below a file or in place of a folder', async () => {
    await using under = await start();
    const job = await aJob();
    assert.equal(await make(under, job, 'a.txt', 'one'), true);
    assert.equal(await make(under, job, 'a.txt', 'two'), false);
    assert.equal(await make(under, job, 'b.txt', 'two', 'a.txt'), false);
    assert.equal(await make(under, job, 'c.txt', 'two', 'deep/er'), true);
    assert.equal(await make(under, job, 'deep', 'three'), false);
    assert.equal(await make(under, job, 'er', 'three', 'deep'), false);
    assert.equal(await make(under, await aJob(), 'a.txt', 'two'), true, 'of another user');
    const races = await Promise.all(
      ['x', 'y', 'z'].map(async (text) => await make(under, job, 'race.txt', text)),
    );
    assert.deepEqual(races.toSorted(), [false, false, true]);
    assert.equal((await contents(under)).length, 3, 'nothing is left of what had no name');
  });

  it('a made file is listed, found and read before it is kept, and is an asset afterward', async () => {
    await using under = await start();
    const job = await aJob();
    const { places } = under.cloud.files;
    await make(under, job, 'out_00001_.txt', 'one');
    await make(under, job, 'other.txt', 'two');
    const names = places.namesOf(job.userId);
    assert.deepEqual((await names.list('output', '')).toSorted(), ['other.txt', 'out_00001_.txt']);
    assert.deepEqual(await names.list('output', '', 'out_'), ['out_00001_.txt']);
    assert.deepEqual(await names.list('output', '', 'OUT'), []);
    const place = { folder: 'output', subfolder: '', fileName: 'out_00001_.txt' } as const;
    const found = await places.find(job.userId, place);
    assert.equal(found?.sha256, sha256('one'));
    assert.equal(String(await found?.open().then(async (stream) => (await stream.toArray())[0])), 'one');
    assert.equal(
      await repo.findAssetAt(db(), job.userId, {
        folder: 'output',
        subfolder: '',
        fileName: 'out_00001_.txt',
      }),
      undefined,
    );

    assert.deepEqual(await under.cloud.files.keep(job, '9', named('out_00001_.txt')), []);
    const asset = await repo.findAssetAt(db(), job.userId, {
      folder: 'output',
      subfolder: '',
      fileName: 'out_00001_.txt',
    });
    assert.equal(asset?.content_hash, sha256('one'));
    assert.equal(await make(under, job, 'out_00001_.txt', 'three'), false);
    assert.equal((await under.cloud.files.keep(job, '9', named('none.txt')))[0]?.fileName, 'none.txt');
    assert.equal((await names.list('output', '')).length, 2);
  });

  it('a file that is never named is removed after an hour, unless its job runs; one without room, at once', async () => {
    await using under = await start({ quotaBytes: 10 });
    const queue = await aQueue(db());
    const full = await aJob();
    await make(under, full, 'large.txt', '0123456789');
    await make(under, full, 'more.txt', 'more');
    await under.cloud.files.keep(full, '1', named('large.txt'));
    await assert.rejects(under.cloud.files.keep(full, '1', named('more.txt')), {
      code: 'cloud.storage_full',
    });
    assert.deepEqual(await under.cloud.files.places.namesOf(full.userId).list('output', ''), ['large.txt']);

    const { id: userId } = await aUser(db());
    await queue.add(userId);
    const runs = await queue.start();
    await make(under, { id: runs.id, userId }, 'runs.txt', 'runs');
    await make(under, { id: 'gone', userId }, 'gone.txt', 'gone');
    under.time.now += HOUR_MS + 60_000;
    await under.cloud.tidy();
    assert.deepEqual(await under.cloud.files.places.namesOf(userId).list('output', ''), ['runs.txt']);
    assert.equal((await contents(under)).length, 2);
    await under.cloud.files.places.clear(userId);
    assert.equal((await contents(under)).length, 1);
  });

  it('a check sees the files that it names, in folders that are removed when it ends', async () => {
    await using under = await start();
    const job = await aJob();
    await using staged = await under.cloud.files.stage();
    await writeFile(staged.path, 'the cat');
    const file = { userId: job.userId, folder: 'input', subfolder: 'sub', fileName: 'cat.txt' } as const;
    await under.cloud.files.adopt(staged.path, file);
    const texts = JSON.stringify({ image: 'sub/cat.txt', other: 'none.txt', count: 3 });
    const own = await under.cloud.files.places.foldersFor(job.userId, texts);
    assert.equal(await readFile(join(own.folders.input, 'sub', 'cat.txt'), 'utf8'), 'the cat');
    assert.deepEqual(await readdir(own.folders.output), []);
    await own[Symbol.asyncDispose]();
    await assert.rejects(readdir(own.folders.input), { code: 'ENOENT' });
  });
});
