import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { mkdir, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { INSPECTION_LIMITS } from '@atelier/inspection';

import { packFolder } from './pack-folder.ts';
import { INIT, makeFolder } from './test/make-folder.ts';

const PROGRAM = `import { packFolder } from ${JSON.stringify(import.meta.resolve('./pack-folder.ts'))};
process.stdout.write((await packFolder(process.argv[1])).checksum);`;

describe('a packed folder', () => {
  it('[PACK-7] lists its files with their sizes and has the checksum of its archive', async () => {
    await using folder = await makeFolder({ 'web/a.js': 'x', 'web/a.css': '' });
    const { files, checksum, project } = await packFolder(folder.path);
    assert.deepEqual(
      files.map(({ path }) => path),
      ['__init__.py', 'pyproject.toml', 'web/a.css', 'web/a.js'],
    );
    assert.deepEqual(files[0], { path: '__init__.py', bytes: INIT.length });
    assert.match(checksum, /^sha256:[0-9a-f]{64}$/);
    assert.equal(project.nodeVersion.version, '1.2.0');
  });

  it('[PACK-11] is the same to the byte, whatever the times, permissions and time zone', async () => {
    const names = ['b.py', 'a.py', 'z/c.py'];
    const content = 'x = 1\n'.repeat(50_000);
    const make = async (order: readonly string[]) =>
      await makeFolder(Object.fromEntries(order.map((name) => [name, content])));
    await using one = await make(names);
    await using two = await make(names.toReversed());
    await utimes(join(two.path, 'a.py'), new Date(2001, 1, 1), new Date(2001, 1, 1));
    const { checksum, archive } = await packFolder(one.path);
    assert.deepEqual((await packFolder(two.path)).archive, archive);
    const elsewhere = execFileSync(process.execPath, ['--input-type=module', '-e', PROGRAM, one.path], {
      env: { ...process.env, TZ: 'Pacific/Auckland' },
    });
    assert.equal(elsewhere.toString(), checksum);
  });

  it('[PACK-12] is refused in one sentence without a folder, a pyproject.toml or anything to pack', async () => {
    await using folder = await makeFolder();
    await assert.rejects(
      packFolder(join(folder.path, 'none')),
      /There is no folder .*none\. Name the folder/,
    );
    await rm(join(folder.path, '__init__.py'));
    await assert.rejects(packFolder(folder.path), {
      name: 'PackError',
      message: /has nothing to pack besides pyproject\.toml\. Add .*\.comfyignore/,
    });
    await rm(join(folder.path, 'pyproject.toml'));
    await assert.rejects(
      packFolder(folder.path),
      /There is no pyproject\.toml in .* add the file with \[project\]/,
    );
  });

  it('[PACK-12] is refused beyond the limits, with the largest file and the way out', async () => {
    const random = crypto.getRandomValues(new Uint8Array(60_000));
    await using folder = await makeFolder({ 'models/big.bin': random, 'a.bin': random.subarray(0, 100) });
    await assert.rejects(packFolder(folder.path, { maxArchiveBytes: 50_000 }), {
      name: 'PackError',
      message: /largest file is "models\/big\.bin" with 0\.1 MB\. List what .* in \.comfyignore\.$/,
    });
    await writeFile(join(folder.path, '.comfyignore'), 'models\n');
    assert.equal((await packFolder(folder.path, { maxArchiveBytes: 50_000 })).leftOut[0]?.path, 'models/');
  });

  it('[PACK-12] is refused with more files than an archive may have', async () => {
    await using folder = await makeFolder();
    await mkdir(join(folder.path, 'x'));
    for (let n = 0; n < INSPECTION_LIMITS.entries; n += 1) writeFileSync(join(folder.path, `x/${n}`), '');
    await assert.rejects(packFolder(folder.path), /has 20002 files, and a pack may have 20000/);
  });

  it('[PACK-12] is refused with a name that no server takes', {
    skip: process.platform === 'win32',
  }, async () => {
    await using folder = await makeFolder({ 'a\\b.py': '' });
    await assert.rejects(packFolder(folder.path), {
      name: 'PackError',
      message: String.raw`The entry "a\b.py" has a backslash in its name; use forward slashes. Rename the file.`,
    });
  });

  it('can be called off', async () => {
    await using folder = await makeFolder();
    const signal = AbortSignal.abort(new Error('enough'));
    await assert.rejects(packFolder(folder.path, { signal }), /enough/);
  });
});
