import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { blake3 } from 'hash-wasm';

import { createContentHasher } from './content-hasher.ts';

describe('hashes of contents', () => {
  it('are right for files of any size, many at once', async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'atelier-hash-'));
    const hasher = createContentHasher();
    const sizes = [0, 1, 1024, 1025, 1_048_576, 1_048_577, 3_000_000];
    await Promise.all(
      sizes.map(async (size) => {
        const content = randomBytes(size);
        const path = join(folder.path, String(size));
        await writeFile(path, content);
        assert.equal(await hasher.blake3(path), await blake3(content), String(size));
      }),
    );
    await hasher.close();
  });

  it('fail alone for a file that is missing', async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'atelier-hash-'));
    const path = join(folder.path, 'a');
    await writeFile(path, 'abc');
    const hasher = createContentHasher();
    const [missing, there] = await Promise.allSettled([
      hasher.blake3(join(folder.path, 'none')),
      hasher.blake3(path),
    ]);
    assert.equal(missing.status, 'rejected');
    assert.equal(there.status, 'fulfilled');
    assert.equal(await hasher.blake3(path), await blake3('abc'));
    await hasher.close();
  });
});
