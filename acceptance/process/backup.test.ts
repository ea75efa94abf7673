import assert from 'node:assert/strict';
import { copyFile, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  createPostgresDatabase,
  type RunningServer,
  startS3,
  startServer,
  temporaryFolder,
} from '@atelier/testing';
import { startBareServer } from '../support/bare-server.ts';
import { download, newSubmitter } from '../support/cloud.ts';
import { client } from '../support/http-client.ts';
import { killAdminAt, runAdmin, type Settings } from '../support/run-admin.ts';
import { runToEnd } from '../support/run-to-end.ts';
import { newPicture, upload } from '../support/user-files.ts';
import { fillInstallation, makePicture, seen } from '../support/whole-installation.ts';

const SETTINGS = { ATELIER_CONSOLE: 'off', ATELIER_RUNNERS: '1' };

async function good(settings: Settings, ...args: readonly string[]): Promise<string> {
  const { code, text } = await runAdmin(settings, args);
  assert.equal(code, 0, text);
  return text;
}

/** Everything that a folder holds, below it. */
async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

test('[ADM-30] [ADM-31] a backup of a running server comes back on another database and store, and from there on the first kind', async () => {
  await using folder = await temporaryFolder();
  const at = (name: string) => join(folder.path, name);
  await using first = await startServer({ environment: SETTINGS });
  const whole = await fillInstallation(first);
  const before = await seen(first, whole);
  await good({ ATELIER_DATA_DIR: first.dataFolder }, 'backup', '--to', at('one'));
  await first.stop();

  const inS3 = await startS3();
  await using _ = inS3;
  const database = await createPostgresDatabase();
  await using ending = new AsyncDisposableStack();
  ending.defer(async () => await database.drop());
  const elsewhere = {
    ...SETTINGS,
    ...inS3.environment,
    ATELIER_DATA_DIR: at('data-two'),
    ATELIER_DATABASE_URL: database.url,
  };
  await good(elsewhere, 'restore', '--from', at('one'));
  const second = await startBareServer(elsewhere);
  await using __ = second;
  const asSecond: RunningServer = { ...first, url: second.url };
  assert.deepEqual(await seen(asSecond, whole), before);
  assert.equal((await makePicture(second, whole.key)).filename, 'picture_00002_.png');
  await good(elsewhere, 'backup', '--to', at('two'));

  const back = { ...SETTINGS, ATELIER_DATA_DIR: at('data-three') };
  await good(back, 'restore', '--from', at('two'));
  await using third = await startBareServer(back);
  assert.deepEqual(await seen({ ...first, url: third.url }, whole), before);
  const { filename } = await makePicture(third, whole.key);
  assert.equal(filename, 'picture_00003_.png');
  assert.match(await good(back, 'verify-files', '--read'), /, 0 missing, 0 damaged\. Orphans: 0/);
});

test('[ADM-34] [ADM-35] a second backup copies what is new, drops what is gone, and tells of lost files without giving up', async () => {
  await using server = await startServer({ environment: SETTINGS });
  await using folder = await temporaryFolder();
  const to = join(folder.path, 'backup');
  const settings = { ATELIER_DATA_DIR: server.dataFolder };
  const { api, key } = await newSubmitter(server);
  const { asset } = await upload(api, await newPicture());
  await makePicture(server, key);
  assert.match(await good(settings, 'backup', '--to', to), /^files: copied 2 /m);
  await api.delete(`/api/assets/${asset.id}`);
  await makePicture(server, key);
  assert.match(await good(settings, 'backup', '--to', to), /^files: copied 1 .+ already there 1\./m);
  assert.equal((await filesIn(join(to, 'files'))).length, 2);
  assert.equal((await readdir(to)).filter((name) => name.startsWith('database-')).length, 1);

  const found = (await filesIn(join(server.dataFolder, 'outputs'))).find((file) =>
    /[0-9a-f]{64}$/.test(file),
  );
  const other = join(folder.path, 'other');
  // A file with a second name is read-only.
  const stored = found ?? assert.fail();
  await rm(stored);
  await writeFile(stored, 'not what it was');
  const { code, text } = await runAdmin(settings, ['backup', '--to', other]);
  assert.equal(code, 1);
  assert.match(text, /outputs: [0-9a-f]{64} is damaged and not in the backup\./);
  assert.match(text, /missing or damaged: 1\. All others are in the backup\./);
  assert.match(await good(settings, 'restore', '--check', '--from', other), /is whole\. Files: 1\./);

  // The backup from before has it still, and keeps it.
  for (const why of ['damaged', 'missing']) {
    if (why === 'missing') await rm(stored);
    const again = await runAdmin(settings, ['backup', '--to', to]);
    assert.equal(again.code, 1, again.text);
    assert.match(again.text, new RegExp(`outputs: [0-9a-f]{64} is ${why}, but still in the backup\\.`));
    assert.match(await good(settings, 'restore', '--check', '--from', to), /is whole\. Files: 2\./);
  }

  const refused = async (where: string, sentence: RegExp, exitCode = 1) => {
    const ended = await runAdmin(settings, ['backup', '--to', where]);
    assert.match(ended.text, sentence);
    assert.equal(ended.code, exitCode);
  };
  await refused(join(server.dataFolder, 'backup'), /would be in the data folder/, 2);
  await writeFile(join(folder.path, 'letter.txt'), 'precious');
  await refused(folder.path, /is not empty and has no backup of Atelier\. Nothing was changed\./);
});

test('[ADM-33] [ADM-34] a backup and a restore that are killed are finished by the same command, and no server starts in between', async () => {
  await using folder = await temporaryFolder();
  const at = (name: string) => join(folder.path, name);
  await using source = await startS3();
  await using target = await startS3();
  await using server = await startServer({ environment: { ...SETTINGS, ...source.environment } });
  const { key } = await newSubmitter(server);
  const picture = await makePicture(server, key);
  const before = await download(client(server.url, { apiKey: key }), picture);
  const from = { ...source.environment, ATELIER_DATA_DIR: server.dataFolder };
  const to = { ...SETTINGS, ...target.environment, ATELIER_DATA_DIR: at('data') };

  const isFile = (wanted: string) => (method: string, name: string) =>
    method === wanted && name.startsWith('outputs/');

  await killAdminAt(source, isFile('GET'), from, ['backup', '--to', at('backup')]);
  const early = await runAdmin(to, ['restore', '--from', at('backup')]);
  assert.match(
    early.text,
    /is not a complete backup of Atelier: it has no manifest\.json\. Nothing was changed\./,
  );
  await good(from, 'backup', '--to', at('backup'));
  await good(from, 'backup', '--to', at('another'));

  await killAdminAt(target, isFile('PUT'), to, ['restore', '--from', at('backup')]);
  const { code, stderr } = await runToEnd({ settings: to });
  assert.equal(code, 1);
  assert.match(stderr, /The restore of this installation did not finish\. Run .+ again with the same backup/);
  const wrong = await runAdmin(to, ['restore', '--from', at('another')]);
  assert.match(wrong.text, /The restore of another backup into this installation did not finish\./);
  await good(to, 'restore', '--from', at('backup'));
  await using restored = await startBareServer(to);
  assert.deepEqual(await download(client(restored.url, { apiKey: key }), picture), before);
  assert.equal((await readFile(join(at('data'), 'atelier.sqlite'))).length > 0, true);
});

/** An installation in S3 with one picture, which has a backup and is stopped. */
async function startBackedUp() {
  await using started = new AsyncDisposableStack();
  const folder = started.use(await temporaryFolder());
  const at = (name: string) => join(folder.path, name);
  const service = started.use(await startS3());
  const server = started.use(await startServer({ environment: { ...SETTINGS, ...service.environment } }));
  const { key } = await newSubmitter(server);
  await makePicture(server, key);
  const original = { ...SETTINGS, ...service.environment, ATELIER_DATA_DIR: server.dataFolder };
  await good(original, 'backup', '--to', at('backup'));
  await server.stop();
  const kept = started.move();
  return { at, service, key, original, [Symbol.asyncDispose]: async () => await kept.disposeAsync() };
}

test('[ADM-31] a restored installation and its original do not start on the files of each other', async () => {
  await using stopped = await startBackedUp();
  const { at, key, original } = stopped;
  const refused = async (settings: Settings, sentence = /The files of this database are not in /) => {
    const { code, stderr } = await runToEnd({ settings });
    assert.match(stderr, sentence);
    assert.equal(code, 1);
  };
  // Its database stays empty: a restore would refuse another one.
  const refusedAsForeign = async (settings: Settings) =>
    await refused(settings, /holds the files of another Atelier/);

  const inTrial = { ATELIER_S3_PREFIX: 'trial/' };
  const copy = { ...original, ...inTrial, ATELIER_DATA_DIR: at('copy') };
  await refusedAsForeign({ ...original, ATELIER_DATA_DIR: at('copy') });
  await good(copy, 'restore', '--from', at('backup'));
  await refused({ ...original, ATELIER_DATA_DIR: at('copy') });
  await refused({ ...original, ...inTrial });
  {
    await using trial = await startBareServer(copy);
    await makePicture(trial, key);
  }
  const same = await runAdmin(copy, ['backup', '--to', at('backup')]);
  assert.match(same.text, /has the backup of another installation\. Nothing was changed\./);

  const onDisk = { ...SETTINGS, ATELIER_DATA_DIR: at('disk') };
  await good(onDisk, 'restore', '--from', at('backup'));
  await good(onDisk, 'backup', '--to', at('backup-of-disk'));
  const database = await createPostgresDatabase();
  await using ending = new AsyncDisposableStack();
  ending.defer(async () => await database.drop());
  const url = { ATELIER_DATABASE_URL: database.url };
  await refusedAsForeign({ ...original, ...url, ATELIER_DATA_DIR: at('other') });
  await good(
    { ...SETTINGS, ...url, ATELIER_DATA_DIR: at('other') },
    'restore',
    '--from',
    at('backup-of-disk'),
  );
  await refused({ ...onDisk, ...url });
  await copyFile(join(at('disk'), 'atelier.sqlite'), join(at('other'), 'atelier.sqlite'));
  await refused({ ...SETTINGS, ATELIER_DATA_DIR: at('other') });
  await using _first = await startBareServer(onDisk);
  await using _second = await startBareServer({ ...SETTINGS, ...url, ATELIER_DATA_DIR: at('other') });
});

test('[ADM-31] [ADM-33] a restore that goes on with other settings does not take the files of another installation', async () => {
  await using stopped = await startBackedUp();
  const { at, service, original } = stopped;
  const copy = { ...original, ATELIER_S3_PREFIX: 'trial/', ATELIER_DATA_DIR: at('copy') };
  const restore = ['restore', '--from', at('backup')];

  // It is cut off when the mark of the bucket is put, the last thing.
  const isMark = (method: string, name: string) => method === 'PUT' && name === 'trial/.atelier-files';
  await killAdminAt(service, isMark, copy, restore);

  const wrong = await runAdmin({ ...original, ATELIER_DATA_DIR: at('copy') }, restore);
  assert.match(wrong.text, /holds the files of another Atelier/);
  assert.equal(wrong.code, 1);
  await good(copy, ...restore);
  await using _ = await startBareServer(copy);
});
