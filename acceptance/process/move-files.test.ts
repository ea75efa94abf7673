import assert from 'node:assert/strict';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { createPostgresDatabase, spawnServer, startS3, startServer, temporaryFolder } from '@atelier/testing';
import { download, type FileReference, finish, newSubmitter } from '../support/cloud.ts';
import { client } from '../support/http-client.ts';
import { killAdminAt, runAdmin, type Settings } from '../support/run-admin.ts';
import { newPicture, upload } from '../support/user-files.ts';

const save = (image: string, radius: number) => ({
  '1': { class_type: 'LoadImage', inputs: { image } },
  '2': { class_type: 'ImageBlur', inputs: { image: ['1', 0], blur_radius: radius, sigma: 1 } },
  '3': { class_type: 'SaveImage', inputs: { images: ['2', 0], filename_prefix: 'moved' } },
});

test('[FIL-35] an installation moves its files to S3 while it runs, and serves every one of them after a restart', async () => {
  await using service = await startS3();
  const server = await startServer({ environment: { ATELIER_RUNNERS: '1' } });
  await using _ = server;
  const { api, key } = await newSubmitter(server);
  const { ATELIER_S3_BUCKET: bucket, ...settings } = service.environment;
  const environment = { ...settings, ATELIER_DATA_DIR: server.dataFolder };
  const move = async () => await runAdmin(environment, ['move-files', '--to', `s3://${bucket}`]);
  const { name } = await upload(api, await newPicture(32, 24));
  const files: FileReference[] = [];
  const make = async (radius: number) => {
    const { outputs } = await finish(api, save(name, radius));
    files.push(...(outputs['3']?.['images'] ?? []));
  };
  await make(1);
  const before = await download(api, files[0] ?? assert.fail());

  const bad = await runAdmin(environment, ['move-files', '--to', 'somewhere']);
  assert.deepEqual(
    [bad.code, bad.text.trim()],
    [2, '--to is the address of a bucket, such as s3://atelier, not somewhere.'],
  );
  const running = await move();
  assert.equal(running.code, 0, running.text);
  assert.match(running.text, /^outputs: copied 2 /m);
  assert.match(running.text, /A server runs, so more files may have come since\./);
  await make(2);
  await server.stop();
  const rest = await move();
  assert.equal(rest.code, 0, rest.text);
  assert.match(rest.text, /^outputs: copied 1 \(0 MB\), already there 2\./m);
  assert.match(rest.text, /The files are in s3:\/\/atelier\/ now\./);

  const { child, output } = spawnServer({ ATELIER_DATA_DIR: server.dataFolder, ATELIER_CONSOLE: 'off' });
  assert.equal(await new Promise((resolve) => child.once('exit', resolve)), 1);
  assert.match(output(), /The files of this database are in an S3 bucket\./);

  await using moved = await server.restart(service.environment);
  const again = client(moved.url, { apiKey: key });
  assert.deepEqual(await download(again, files[0] ?? assert.fail()), before);
  assert.ok((await download(again, files[1] ?? assert.fail())).length > 0);
  const { outputs } = await finish(again, save(name, 3));
  assert.equal(outputs['3']?.['images']?.[0]?.filename, 'moved_00003_.png');
});

test('[FIL-35] [ADM-21] files are moved only from the folder of the database, only once, and only when the bucket has each of them', async () => {
  await using service = await startS3();
  await using ending = new AsyncDisposableStack();
  const database = await createPostgresDatabase();
  ending.defer(async () => await database.drop());
  const url = { ATELIER_DATABASE_URL: database.url };
  await using server = await startServer({ environment: url });
  const { api } = await newSubmitter(server);
  await upload(api, await newPicture(32, 24));
  await upload(api, await newPicture(24, 32));
  await server.stop();
  const { ATELIER_S3_BUCKET: _bucket, ...settings } = service.environment;
  const own = { ...settings, ...url, ATELIER_DATA_DIR: server.dataFolder };
  const move = async (changes: Settings = {}, to = 's3://atelier') =>
    await runAdmin({ ...own, ...changes }, ['move-files', '--to', to]);

  await using empty = await temporaryFolder();
  const elsewhere = await move({ ATELIER_DATA_DIR: empty.path });
  assert.deepEqual(
    [elsewhere.code, elsewhere.text],
    [
      1,
      `The files of this database are not in ${join(empty.path, 'outputs')}. Set ATELIER_DATA_DIR to the data folder that has them.\n`,
    ],
  );
  const nowhere = await runAdmin({ ...settings, ATELIER_DATA_DIR: empty.path }, [
    'move-files',
    '--to',
    's3://atelier',
  ]);
  assert.match(nowhere.text, /^There is no installation in .+\n$/);
  assert.equal(nowhere.code, 1);
  assert.deepEqual(await readdir(empty.path), []);
  assert.equal(service.objects.size, 0);

  // A store that loses what it has taken.
  const kept = () => [...service.objects.keys()].filter((name) => name.startsWith('outputs/'));
  service.fault = (method, name) => {
    if (method === 'GET' && name === '') for (const each of kept()) service.objects.delete(each);
    return undefined;
  };
  const losing = await move();
  service.fault = () => undefined;
  assert.equal(losing.code, 1, losing.text);
  assert.equal(losing.text.match(/^outputs: [0-9a-f]{64} is not in the bucket\.$/gm)?.length, 2);
  assert.match(losing.text, /^Files that are in .+ and not in s3:\/\/atelier\/: 2\. Run this again\./m);
  assert.equal(service.objects.has('.atelier-files'), false);
  const onDisk = await server.restart();
  await onDisk.stop();

  // One that is cut off before the last step goes on.
  const isMark = (method: string, name: string) => method === 'PUT' && name === '.atelier-files';
  await killAdminAt(service, isMark, own, ['move-files', '--to', 's3://atelier']);

  const [name = ''] = kept();
  const hash = name.replace('outputs/', '');
  service.objects.delete(name);
  await rm(join(server.dataFolder, 'outputs', hash.slice(0, 2), hash.slice(2, 4), hash));
  const moved = await move();
  assert.equal(moved.code, 1, 'a file was lost before');
  assert.ok(moved.text.includes(`outputs: ${hash} is missing.\n`), moved.text);
  assert.match(moved.text, /The files are in s3:\/\/atelier\/ now\./);
  assert.match(moved.text, /missing or damaged before, and are not in the bucket: 1\. All others are\.\n$/);

  const count = service.objects.size;
  for (const to of ['s3://atelier', 's3://atelier/other/']) {
    const again = await move({}, to);
    assert.deepEqual(
      [again.code, again.text],
      [1, 'The files of this database are in an S3 bucket already. Nothing was changed.\n'],
    );
  }
  assert.equal(service.objects.size, count);
  await using _started = await server.restart({ ...url, ...service.environment });
});
