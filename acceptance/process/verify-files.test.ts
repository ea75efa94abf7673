import assert from 'node:assert/strict';
import { mkdir, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { ADMIN_PROGRAM, startS3, startServer } from '@atelier/testing';
import { newSubmitter } from '../support/cloud.ts';
import { inUse, runAdmin, type Settings } from '../support/run-admin.ts';
import { KEYS, openTerminal } from '../support/terminal.ts';
import { makePicture } from '../support/whole-installation.ts';

const ORPHAN = 'ab'.repeat(32);
const YOUNG = 'cd'.repeat(32);
const FOUR_HOURS_MS = 4 * 3_600_000;

async function verify(settings: Settings, ...args: readonly string[]) {
  return await runAdmin(settings, ['verify-files', ...args]);
}

test('[ADM-37] [ADM-38] missing, damaged and unnamed files are found on disk; orphans are removed after a yes', async () => {
  await using server = await startServer({ environment: { ATELIER_RUNNERS: '1' } });
  const settings = { ATELIER_DATA_DIR: server.dataFolder };
  const { key } = await newSubmitter(server);
  for (let made = 0; made < 3; made += 1) await makePicture(server, key);
  const outputs = join(server.dataFolder, 'outputs');
  const stored = (await readdir(outputs, { recursive: true })).filter((name) => /[0-9a-f]{64}$/.test(name));
  const sound = await verify(settings);
  assert.deepEqual(
    [sound.code, sound.text],
    [
      0,
      'Files that rows name: 3 as they should be, 0 missing, 0 damaged. Orphans: 0, and 0 of the last 3 hours.\n',
    ],
  );

  const pathOf = (hash: string) => join(outputs, hash.slice(0, 2), hash.slice(2, 4), hash);
  for (const hash of [ORPHAN, YOUNG]) {
    await mkdir(dirname(pathOf(hash)), { recursive: true });
    await writeFile(pathOf(hash), 'no row names it');
  }
  const then = new Date(Date.now() - FOUR_HOURS_MS);
  await utimes(pathOf(ORPHAN), then, then);
  await rm(join(outputs, stored[0] ?? ''));
  await rm(join(outputs, stored[1] ?? ''));
  await writeFile(join(outputs, stored[1] ?? ''), 'x'.repeat(10));
  const running = await verify(settings, '--read');
  assert.equal(running.code, 1);
  for (const line of [
    /outputs: [0-9a-f]{64} is missing\./,
    /outputs: [0-9a-f]{64} is damaged\./,
    /outputs: (?:ab){32} has no row\./,
    /1 as they should be, 1 missing, 1 damaged\. Orphans: 1, and 1 of the last/,
  ])
    assert.match(running.text, line);
  const busy = await verify(settings, '--remove-orphans', '--yes');
  assert.deepEqual([busy.code, busy.text], [1, inUse(server.dataFolder)]);

  await server.stop();
  const silent = await verify(settings, '--remove-orphans');
  assert.deepEqual(
    [silent.code, silent.text],
    [2, 'Orphans would be deleted for good. There is no terminal to ask on. Add --yes to do it.\n'],
  );
  const ask = () =>
    openTerminal(['verify-files', '--remove-orphans'], {
      program: ADMIN_PROGRAM,
      env: settings,
      columns: 300,
    });
  const hesitant = ask();
  await hesitant.sees(/Delete orphans in .+ for good: 1\? \[y\/N\] /);
  hesitant.types(`no${KEYS.enter}`);
  await hesitant.sees(/Nothing was done\./);
  assert.equal(await hesitant.exit, 1);
  const stopped = ask();
  await stopped.sees(/\[y\/N\] /);
  stopped.types(KEYS.interrupt);
  assert.equal(await stopped.exit, 1);
  assert.doesNotMatch(stopped.text(), /at .+\.ts:\d/);
  const sure = ask();
  await sure.sees(/\[y\/N\] /);
  sure.types(`yes${KEYS.enter}`);
  await sure.sees(/Orphans removed: 1\./);
  assert.equal(await sure.exit, 1, 'files are missing all the same');
  assert.match((await verify(settings)).text, /Orphans: 0, and 1 of the last 3 hours/);
});

test('[ADM-37] the same in a bucket', async () => {
  await using service = await startS3();
  await using server = await startServer({ environment: { ...service.environment, ATELIER_RUNNERS: '1' } });
  const settings = { ...service.environment, ATELIER_DATA_DIR: server.dataFolder };
  const { key } = await newSubmitter(server);
  await makePicture(server, key);
  await makePicture(server, key);
  await server.stop();
  const [first = '', second = ''] = [...service.objects.keys()].filter((name) => name.startsWith('outputs/'));
  const object = service.objects.get(first) ?? assert.fail();
  service.objects.set(`outputs/${ORPHAN}`, { ...object, modifiedAt: new Date(Date.now() - FOUR_HOURS_MS) });
  service.objects.delete(second);
  const { code, text } = await verify(settings, '--read', '--remove-orphans', '--yes');
  assert.equal(code, 1);
  assert.ok(text.includes(`${second.replace('/', ': ')} is missing.`), text);
  assert.match(text, /Orphans removed: 1\./);
  assert.equal(service.objects.has(`outputs/${ORPHAN}`), false);
  assert.equal(service.objects.has(first), true);
  const elsewhere = await verify({ ATELIER_DATA_DIR: server.dataFolder });
  assert.deepEqual(
    [elsewhere.code, elsewhere.text],
    [
      1,
      'The files of this database are in an S3 bucket. Set ATELIER_S3_BUCKET and the settings beside it.\n',
    ],
  );
});
