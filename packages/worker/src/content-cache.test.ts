import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { chmod, mkdir, mkdtempDisposable, readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';

import { createContentCache } from './content-cache.ts';

const KB = 1024;

describe('the cache of a worker', () => {
  async function aCache(maxBytes: number) {
    const temporary = await mkdtempDisposable(join(tmpdir(), 'atelier-cache-'));
    const folder = join(temporary.path, 'cache');
    let files = 0;
    const newPath = () => {
      files += 1;
      return join(temporary.path, String(files));
    };
    return {
      folder,
      newPath,
      open: () => createContentCache({ folder, maxBytes }),
      async file(fill: number, size = KB) {
        const path = newPath();
        const content = Buffer.alloc(size, fill);
        await writeFile(path, content);
        return { path, sha256: hash('sha256', content) };
      },
      [Symbol.asyncDispose]: temporary.remove,
    };
  }

  it('links its content, and the links survive a removal', async () => {
    await using test = await aCache(10 * KB);
    const cache = test.open();
    const target = test.newPath();
    const first = await test.file(1);
    assert.equal(await cache.linkTo(first.sha256, target), false);
    await cache.add(first.path, first.sha256);
    await cache.add(first.path, first.sha256);
    assert.equal(await cache.linkTo(first.sha256, target), true);
    // Files that are made at the same time may have any order.
    await utimes(target, 1000, 1000);
    const large = await test.file(2, 20 * KB);
    await cache.add(large.path, large.sha256);
    assert.deepEqual(await readdir(test.folder), [], 'the next one was larger than the cache');
    assert.equal((await readFile(target)).length, KB);
    assert.equal((await readFile(large.path)).length, 20 * KB);
  });

  it('removes the least recently used files, and scratch folders of killed workers', async () => {
    await using test = await aCache(10 * KB);
    const cache = test.open();
    const files = await Promise.all([1, 2, 3].map(async (fill) => await test.file(fill, 3 * KB)));
    for (const [index, { path, sha256 }] of files.entries()) {
      await cache.add(path, sha256);
      await utimes(path, 1000 + index, 1000 + index);
    }
    for (const name of ['.scratch-old', '.scratch-new']) await mkdir(join(test.folder, name));
    await utimes(join(test.folder, '.scratch-old'), 1000, 1000);
    assert.equal(await cache.linkTo(files[0]?.sha256 ?? '', test.newPath()), true);
    const last = await test.file(4, 3 * KB);
    await cache.add(last.path, last.sha256);
    const kept = [files[0], files[2], last].map((file) => file?.sha256 ?? '');
    assert.deepEqual((await readdir(test.folder)).toSorted(), ['.scratch-new', ...kept].toSorted());
  });

  it('drops a file whose bytes do not match its name', async () => {
    await using test = await aCache(10 * KB);
    const { path, sha256 } = await test.file(1);
    await test.open().add(path, sha256);
    await chmod(path, 0o600);
    await writeFile(path, 'something else');
    assert.equal(await test.open().linkTo(sha256, test.newPath()), false);
    assert.deepEqual(await readdir(test.folder), []);
  });
});
