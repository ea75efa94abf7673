import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { fromBufferPromise } from 'yauzl';

import { bytesFile, type ExportedFile } from './exported-file.ts';
import { writeArchive } from './write-archive.ts';

async function* all(...files: readonly ExportedFile[]): AsyncGenerator<ExportedFile> {
  yield* files;
}

async function filesIn(bytes: Buffer): Promise<Record<string, string>> {
  const zip = await fromBufferPromise(bytes, { lazyEntries: true });
  const files: Record<string, string> = {};
  for await (const entry of zip.eachEntry())
    files[entry.fileName] = (await buffer(await zip.openReadStreamPromise(entry))).toString();
  return files;
}

describe('[ADM-16] an archive of what a user has', () => {
  it('has names that stay in their folder and are different on every system', async () => {
    const file = (path: string, text: string) => bytesFile(path, Buffer.from(text));
    const files = all(
      file('a/../../b.txt', '1'),
      file('a/B.txt', '2'),
      file('a/b.txt', '3'),
      file('/c:\\d\u0007.txt', '4'),
      file('e', '5'),
      file('E', '6'),
    );
    assert.deepEqual(await filesIn(await buffer(writeArchive(files))), {
      'a/_../_../b.txt': '1',
      'a/B.txt': '2',
      'a/b-2.txt': '3',
      '_/c__d_.txt': '4',
      e: '5',
      'E-2': '6',
    });
  });

  it('lists files that are gone', async () => {
    const gone: ExportedFile = { path: 'files/gone.png', open: async () => undefined };
    const archive = writeArchive(all(gone, bytesFile('here.txt', Buffer.from('here'))));
    assert.deepEqual(await filesIn(await buffer(archive)), {
      'here.txt': 'here',
      'missing-files.txt': 'files/gone.png\n',
    });
  });

  it('ends with an error when a file cannot be read to its end', async () => {
    async function* broken() {
      yield Buffer.alloc(100_000);
      throw new Error('the disk is broken');
    }
    const file: ExportedFile = { path: 'a.bin', open: async () => Readable.from(broken()) };
    await assert.rejects(buffer(writeArchive(all(file))), /the disk is broken/);
  });

  it('opens each file in its turn, and none after its reader has left', async () => {
    let opened = 0;
    async function* files() {
      for (let count = 0; count < 1000; count += 1)
        yield {
          path: `${count}.bin`,
          isPacked: true,
          async open() {
            opened += 1;
            return Readable.from([Buffer.alloc(100_000)]);
          },
        };
    }
    const archive = writeArchive(files());
    await archive[Symbol.asyncIterator]().next();
    assert.ok(opened < 20, `${opened} files were opened`);
    archive.destroy();
    const before = opened;
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.ok(opened <= before + 1);
  });
});
