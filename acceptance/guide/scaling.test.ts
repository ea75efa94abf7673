import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { createPostgresDatabase, startS3, startServer, temporaryFolder } from '@atelier/testing';

import { runGuide, stepsOf } from '../support/guide.ts';
import { startApart } from '../support/second-server.ts';
import '../support/servers.ts';

const ROOT = join(import.meta.dirname, '../..');
const MOVE = 'npm run admin -- move-files --to s3://atelier';

test('docs/guide/scaling.md works as it is written: two servers, PostgreSQL and S3, and the move of an installation', async () => {
  const text = await readFile(join(ROOT, 'docs/guide/scaling.md'), 'utf8');
  await using s3 = await startS3();
  const database = await createPostgresDatabase();
  const given: Readonly<Record<string, string>> = {
    ...s3.environment,
    ATELIER_DATABASE_URL: database.url,
  };
  // The settings that the guide names, with the values of this test.
  const names = /```env\n(ATELIER_DATABASE_URL.*?)```/s.exec(text)?.[1]?.match(/^ATELIER_\w+/gm) ?? [];
  assert.equal(names.length, 5);
  const environment = Object.fromEntries(names.map((name) => [name, given[name] ?? assert.fail(name)]));
  try {
    await using first = await startServer({ environment });
    await using second = await startApart(environment);
    await using folder = await temporaryFolder();
    await symlink(first.dataFolder, join(folder.path, 'data'));
    await symlink(join(ROOT, 'examples'), join(folder.path, 'examples'));
    const here = text
      .replaceAll('http://server-a:8080', first.url)
      .replaceAll('http://server-b:8080', second.url);
    await runGuide(stepsOf(here), { folder: folder.path });
  } finally {
    await database.drop();
  }

  assert.ok(text.includes(`\n${MOVE}\n`));
  await using old = await startServer();
  await old.stop();
  const { ATELIER_S3_BUCKET: _, ...bucketless } = s3.environment;
  await using project = await temporaryFolder();
  await writeFile(join(project.path, '.env'), `ATELIER_DATA_DIR=${old.dataFolder}\n`);
  s3.objects.clear();
  // Without `npm run admin --`.
  const args = MOVE.split(' ').slice(4);
  const program = join(ROOT, 'packages/server/src/admin.ts');
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, [program, ...args], {
    cwd: project.path,
    env: { PATH: process.env['PATH'], ...bucketless },
  });
  assert.match(
    stdout,
    /The files are in s3:\/\/atelier\/ now\. Start the server with ATELIER_S3_BUCKET=atelier\./,
  );
});
