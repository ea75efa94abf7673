import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { FileExists, parseFileName } from './files.ts';
import { createFolderFiles, type FolderFiles } from './folder-files.ts';

describe('files in folders', () => {
  let root: string;
  let files: FolderFiles;
  const open = (): FolderFiles => {
    const at = (name: string): string => join(root, name);
    return createFolderFiles({ input: at('input'), output: at('output'), temp: at('temp') });
  };
  before(() => {
    root = mkdtempSync(join(tmpdir(), 'atelier-files-'));
    mkdirSync(join(root, 'input'));
    writeFileSync(join(root, 'input', 'a.txt'), 'abc');
    writeFileSync(join(root, 'secret.txt'), 'secret');
    files = open();
  });
  after(() => rmSync(root, { recursive: true, force: true }));

  const A = { folder: 'input', subfolder: '', name: 'a.txt' } as const;

  it('reads, lists, measures and hashes', async () => {
    assert.equal(Buffer.from(await files.read(A)).toString(), 'abc');
    assert.deepEqual(await files.list('input', ''), ['a.txt']);
    assert.deepEqual(await files.list('output', 'none/here'), []);
    assert.equal(await files.sizeBytes(A), 3);
    assert.equal(
      await files.contentHash(A),
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    );
  });

  it('makes a file once, with its folders', async () => {
    const ref = { folder: 'output', subfolder: 'deep/er', name: 'b.txt' } as const;
    await files.create(ref, Buffer.from('b'));
    await assert.rejects(files.create(ref, Buffer.from('c')), FileExists);
    assert.equal(readFileSync(join(root, 'output/deep/er/b.txt'), 'utf8'), 'b');
  });

  it('takes over a local file once, and removes scratch files at the end', async () => {
    const ref = { folder: 'output', subfolder: '', name: 'c.txt' } as const;
    const scratch = await files.scratchPath('txt');
    writeFileSync(scratch, 'c');
    await files.adopt(ref, scratch);
    assert.ok(!existsSync(scratch));
    const second = await files.scratchPath('txt');
    writeFileSync(second, 'd');
    await assert.rejects(files.adopt(ref, second), FileExists);
    await files.close();
    assert.ok(!existsSync(second));
    await assert.rejects(files.read(A), /cancelled/, 'nothing is touched after the end');
    files = open();
  });

  for (const [subfolder, name] of [
    ['..', 'secret.txt'],
    ['', '../secret.txt'],
    ['a/../..', 'secret.txt'],
    ['', '/etc/passwd'],
    ['', 'a\0.txt'],
    ['', '..'],
    ['', '.'],
  ] as const) {
    it(`does not leave its folder for ${JSON.stringify(`${subfolder}/${name}`)}`, async () => {
      await assert.rejects(files.read({ folder: 'input', subfolder, name }), /Invalid file name/);
    });
  }

  it('says which file is missing', async () => {
    await assert.rejects(files.read({ ...A, name: 'no.txt' }), /no file no\.txt in input/);
  });
});

describe('names of files in graphs', () => {
  it('may name a folder at their end', () => {
    assert.deepEqual(parseFileName('a/b.png [output]'), { folder: 'output', subfolder: 'a', name: 'b.png' });
    assert.deepEqual(parseFileName('b.png'), { folder: 'input', subfolder: '', name: 'b.png' });
    assert.deepEqual(parseFileName('b.png', 'temp'), { folder: 'temp', subfolder: '', name: 'b.png' });
    assert.deepEqual(parseFileName('a\\b [x].png'), { folder: 'input', subfolder: 'a', name: 'b [x].png' });
  });

  for (const name of ['', '..', '../a.png', 'a/../../b.png', '/etc/passwd', 'a\0b', ' [output]']) {
    it(`may not be ${JSON.stringify(name)}`, () => {
      assert.throws(() => parseFileName(name), /Invalid file name/);
    });
  }
});
