import assert from 'node:assert/strict';
import { readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { startServer, temporaryFolder } from '@atelier/testing';

import { startBareServer } from '../support/bare-server.ts';
import { download, finish, newSubmitter } from '../support/cloud.ts';
import { createImage, endOfImage, imageTask, SKIN } from '../support/generation.ts';
import { runGuide } from '../support/guide.ts';
import { client } from '../support/http-client.ts';
import { newPicture, take } from '../support/user-files.ts';
import { pictureWorkflow } from '../support/workflows.ts';

const ROOT = join(import.meta.dirname, '../..');

test('a backup as the guide has it, of a running server, brings back outputs of jobs and results of tasks', async () => {
  const guide = await readFile(join(ROOT, 'docs/guide/operating.md'), 'utf8');
  const [, section = ''] = guide.split('\n## Back up and restore\n');
  const [backup = '', restore = ''] = [...section.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, text]) => text);

  await using server = await startServer();
  await using folder = await temporaryFolder();
  await symlink(server.dataFolder, join(folder.path, 'data'));
  await symlink(join(ROOT, 'node_modules'), join(folder.path, 'node_modules'));
  const { api, key } = await newSubmitter(server);
  const { outputs } = await finish(api, pictureWorkflow());
  const [output] = outputs['2']?.['images'] ?? [];
  assert.ok(output);
  const picture = await download(api, output);
  const image = (await newPicture(128, 128)).toString('base64');
  const { task_id } = await createImage(api, `${SKIN}/faithful`, { image });
  const result = await take((await endOfImage(api, task_id)).generated[0] ?? '');

  await runGuide([{ commands: backup, shown: undefined }], { folder: folder.path });
  await server.stop();
  const commands = restore.replace(/^npm start\n/m, '');
  await runGuide([{ commands, shown: undefined }], { folder: folder.path });
  await using restored = await startBareServer({ ATELIER_DATA_DIR: join(folder.path, 'data') });
  const again = client(restored.url, { apiKey: key });
  assert.deepEqual(await download(again, output), picture);
  const [link = ''] = (await imageTask(again, task_id)).generated;
  const { status, bytes } = await take(link);
  assert.equal(status, 200);
  assert.deepEqual(bytes, result.bytes);
});
