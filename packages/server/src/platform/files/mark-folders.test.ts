import assert from 'node:assert/strict';
import { mkdir, mkdtempDisposable, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, it } from 'node:test';

import { onEachDatabase } from '../../../test/support/on-each-database.ts';
import { StartError } from '../start-error.ts';
import { markFolders } from './mark-folders.ts';

onEachDatabase('the mark of a database and its files', (db) => {
  beforeEach(async () => void (await db().deleteFrom('server_secrets').execute()));
  const start = async (...folders: readonly string[]) => await markFolders(db(), folders, 1);
  const someFolders = async () => {
    const root = await mkdtempDisposable(join(tmpdir(), 'mark-'));
    return { path: (name: string) => join(root.path, name), [Symbol.asyncDispose]: root.remove };
  };
  const markIn = async (folder: string) => await readFile(join(folder, '.atelier-files'), 'utf8');

  it('is made at the first start, even beside existing files, and checked at every other', async () => {
    await using here = await someFolders();
    const [outputs, tasks] = [here.path('outputs'), here.path('tasks')];
    await mkdir(outputs);
    await writeFile(join(outputs, 'file of before'), '');
    await start(outputs, tasks);
    assert.equal(await markIn(outputs), await markIn(tasks));
    await start(outputs, tasks);
    await assert.rejects(start(here.path('other'), tasks), StartError);
    assert.deepEqual((await readdir(here.path('.'))).toSorted(), ['outputs', 'tasks'], 'nothing was made');
    await writeFile(join(outputs, '.atelier-files'), 'mark of another');
    await assert.rejects(start(outputs, tasks), /The files of this database are not in .+outputs\./);
  });

  it('is the same for servers that start together on one folder, and is that of one of several folders', async () => {
    await using here = await someFolders();
    await Promise.all([1, 2, 3].map(async () => await start(here.path('shared'))));
    await db().deleteFrom('server_secrets').execute();
    const apart = ['a', 'b', 'c'].map(async (name) => await start(here.path(name)));
    const outcomes = await Promise.allSettled(apart);
    assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1);
  });

  it('is taken from the folder after a start that was interrupted before the database had it', async () => {
    await using here = await someFolders();
    await start(here.path('outputs'));
    const mark = await markIn(here.path('outputs'));
    await db().deleteFrom('server_secrets').execute();
    await start(here.path('outputs'), here.path('tasks'));
    assert.equal(await markIn(here.path('tasks')), mark);
  });
});
