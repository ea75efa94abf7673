import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { temporaryFolder } from '@atelier/testing';

import { ROOT } from '../run-command.ts';

const run = (cwd: string, ...args: readonly string[]) =>
  spawnSync(process.execPath, [join(ROOT, 'scripts/release.ts'), ...args], { cwd, encoding: 'utf8' });

describe('npm run release', () => {
  it('refuses a folder with anything but a release, and leaves it as it is', async () => {
    await using folder = await temporaryFolder();
    await writeFile(join(folder.path, 'thesis.txt'), 'precious');
    const { status, stderr } = run(folder.path, folder.path);
    assert.equal(status, 2);
    assert.match(stderr, /has more than a release, such as thesis\.txt\. Nothing was changed\./);
    assert.deepEqual(await readdir(folder.path), ['thesis.txt']);
  });

  it('explains itself, and refuses options it does not have', async () => {
    await using folder = await temporaryFolder();
    assert.match(run(folder.path, '--help').stdout, /^Usage: npm run release -- \[FOLDER\]/);
    assert.equal(run(folder.path, '--force').status, 2);
    assert.equal(run(folder.path, 'a', 'b').status, 2);
    assert.equal(existsSync(join(folder.path, '--help')), false);
  });
});
