import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { FileExists, Interrupted } from '@atelier/engine';
import { nodeContext, type TestContext } from '../test/run-node.ts';
import { resolveSavePath, saveNumbered } from './save-path.ts';

function put(context: TestContext, ...names: readonly string[]): void {
  for (const name of names) {
    const path = join(context.folder, 'output', name);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, '');
  }
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

test('tokens stand for the size and the local time, with two digits', async () => {
  using context = nodeContext({ now: () => new Date(2026, 8, 7, 4, 5, 6) });
  const prefix = '%year%-%month%-%day% %hour%.%minute%.%second% %width%x%height% %width% %other%';
  const path = await resolveSavePath(prefix, { width: 512, height: 64 }, context);
  assert.deepEqual(path, { name: '2026-09-07 04.05.06 512x64 512 %other%', subfolder: '', counter: 1 });
});

test('the folder part of the normalized prefix is the sub-folder', async () => {
  using context = nodeContext();
  const cases = [
    ['a/b/name', 'name', 'a/b'],
    ['a//b/./c/../name', 'name', 'a/b'],
    ['a\\b\\name', 'name', 'a/b'],
    ['./name/', 'name', ''],
    ['a/..', '.', ''],
    ['', '.', ''],
    ['..', '..', ''],
    ['%year%/x', 'x', '2026'],
  ] as const;
  for (const [prefix, name, subfolder] of cases) {
    assert.deepEqual(await resolveSavePath(prefix, {}, context), { name, subfolder, counter: 1 }, prefix);
  }
});

test('a prefix that leaves the folder is refused', async () => {
  using context = nodeContext();
  for (const prefix of ['../x', 'a/../../x', '/abs/x', '\\abs\\x', '..\\..\\x', 'a/\0/x']) {
    await assert.rejects(resolveSavePath(prefix, {}, context), /not allowed/, prefix);
  }
});

test('a prefix that the server could not keep a file under is refused before anything is made', async () => {
  using context = nodeContext();
  for (const prefix of ['nl\nx', 'tab\t/x', 'half \ud800', 'C:/x/y', 'd/'.repeat(600)]) {
    await assert.rejects(resolveSavePath(prefix, {}, context), /^ValueError: filename_prefix/, prefix);
    const saving = saveNumbered(prefix, [bytes('a')], { ending: '_.txt' }, context);
    await assert.rejects(saving, /filename_prefix/, prefix);
  }
  // Only its number makes it too long.
  const deep = `${'d/'.repeat(508)}12345`;
  const saving = saveNumbered(deep, [bytes('a')], { ending: '_.txt' }, context);
  await assert.rejects(saving, /filename_prefix/);
  assert.equal(existsSync(join(context.folder, 'output')), false);
});

test('the counter is one more than the highest number of the name, whatever the extension', async () => {
  using context = nodeContext();
  const counter = async (name: string): Promise<number> => (await resolveSavePath(name, {}, context)).counter;
  put(
    context,
    'x_00003_.png',
    'x_00011.txt',
    'x_7_extra_99_.png',
    'x_abc_.png',
    'x_.png',
    'x00099_.png',
    'xy_00050_.png',
  );
  assert.equal(await counter('x'), 12);
  assert.equal(await counter('xy'), 51);
  assert.equal(await counter('z'), 1);
  put(context, 'x_99999999999999999999_.png', 'x_-20_.png', 'deep/x_00400_.png');
  assert.equal(await counter('x'), 12);
  assert.equal(await counter('deep/x'), 401);
});

test('files of one call have numbers in a row and their index for %batch_num%', async () => {
  using context = nodeContext();
  put(context, 'sub/p_0_00001_.png');
  async function* contents(): AsyncGenerator<Uint8Array> {
    yield bytes('zero');
    yield bytes('one');
  }
  const saved = await saveNumbered('sub/p_%batch_num%', contents(), { ending: '_.png' }, context);
  assert.deepEqual(saved, [
    { filename: 'p_0_00002_.png', subfolder: 'sub', type: 'output' },
    { filename: 'p_1_00003_.png', subfolder: 'sub', type: 'output' },
  ]);
  assert.equal(readFileSync(join(context.folder, 'output/sub/p_1_00003_.png'), 'utf8'), 'one');
});

test('who finds the number taken by another job takes the next one', async () => {
  using context = nodeContext();
  const jobs = Array.from({ length: 8 }, (_, index) =>
    saveNumbered('x', [bytes(`${index}`), bytes(`${index}`)], { ending: '_.txt', folder: 'temp' }, context),
  );
  const names = (await Promise.all(jobs)).flat().map(({ filename }) => filename);
  assert.equal(new Set(names).size, 16);
  assert.deepEqual(names.toSorted(), readdirSync(join(context.folder, 'temp')).toSorted());
});

test('a finished local file is moved in place', async () => {
  using context = nodeContext();
  put(context, 'v_00001_.mp4');
  const localPath = await context.files.scratchPath('mp4');
  writeFileSync(localPath, 'film');
  const saved = await saveNumbered('v', [{ localPath }], { ending: '_.mp4' }, context);
  assert.deepEqual(saved, [{ filename: 'v_00002_.mp4', subfolder: '', type: 'output' }]);
  assert.equal(readFileSync(join(context.folder, 'output/v_00002_.mp4'), 'utf8'), 'film');
});

test('a name that no file system takes, and a folder where every number is taken, end with a sentence', async () => {
  using context = nodeContext();
  await assert.rejects(saveNumbered('é'.repeat(125), [bytes('')], { ending: '_.png' }, context), {
    name: 'OSError',
  });
  const taken = {
    ...context.files,
    create: (ref: Parameters<typeof context.files.create>[0]) => Promise.reject(new FileExists(ref)),
  };
  await assert.rejects(saveNumbered('x', [bytes('')], { ending: '.txt' }, { ...context, files: taken }), {
    name: 'FileExistsError',
  });
});

test('nothing more is saved once the job is cancelled', async () => {
  using context = nodeContext();
  function* contents(): Generator<Uint8Array> {
    yield bytes('a');
    context.cancel();
    yield bytes('b');
  }
  await assert.rejects(saveNumbered('x', contents(), { ending: '.txt' }, context), Interrupted);
  assert.deepEqual(readdirSync(join(context.folder, 'output')), ['x_00001.txt']);
});
