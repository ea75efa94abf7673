import assert from 'node:assert/strict';
import { test } from 'node:test';
import { spawnServer, startS3, startServer } from '@atelier/testing';
import { download, type FileReference, finish, newSubmitter } from '../support/cloud.ts';
import { client } from '../support/http-client.ts';
import { runAdmin } from '../support/run-admin.ts';
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
