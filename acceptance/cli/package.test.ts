import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { PATIENCE_MS, temporaryFolder } from '@atelier/testing';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../..');

/** The Node of the machine, which may be as old as the oldest that is supported; this one where there is no other. */
function otherNode(): string {
  const folders = (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => !folder.includes('node_modules'));
  return folders.map((folder) => join(folder, 'node')).find(existsSync) ?? process.execPath;
}

describe('the package of the command line', { timeout: 2 * PATIENCE_MS }, () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let program: string;
  before(async () => {
    folder = await temporaryFolder();
    const dist = join(folder.path, 'dist');
    const home = join(folder.path, 'home');
    await run(process.execPath, [join(ROOT, 'packages/cli/build.ts'), dist]);
    const { stdout } = await run('npm', ['pack', '--pack-destination', folder.path], { cwd: dist });
    const tarball = join(folder.path, stdout.trim().split('\n').at(-1) ?? '');
    // Nothing is downloaded: there is nothing else that it needs.
    await run('npm', ['install', '--offline', '--no-audit', '--no-fund', '--prefix', home, tarball], {
      cwd: folder.path,
    });
    program = join(home, 'node_modules/.bin/atelier');
    assert.deepEqual(
      (await readdir(join(home, 'node_modules'))).filter((name) => !name.startsWith('.')),
      ['@atelier'],
    );
  });
  after(async () => await folder?.[Symbol.asyncDispose]());

  const atelier = async (...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> => {
    const env = { PATH: process.env['PATH'], ATELIER_CONFIG: join(folder.path, 'profiles.json') };
    try {
      return { code: 0, ...(await run(otherNode(), [program, ...args], { cwd: folder.path, env })) };
    } catch (error) {
      return error as { code: number; stdout: string; stderr: string };
    }
  };

  test('installs alone, and runs with the Node of the machine', async () => {
    assert.match((await atelier('--version')).stdout, /^\d+\.\d+\.\d+\n$/);
    assert.match((await atelier('--help')).stdout, /Usage: atelier/);
    assert.match((await atelier('help', 'login')).stdout, /--device/);
    assert.match((await atelier('completion', 'bash')).stdout, /complete -o default -F _atelier atelier/);
  });

  test('is not what npm pack makes of its sources, which is empty', async () => {
    for (const name of ['cli', 'sdk']) {
      const { stdout } = await run('npm', ['pack', '--dry-run', '--json'], {
        cwd: join(ROOT, 'packages', name),
      });
      assert.doesNotMatch(stdout, /\.ts"/);
    }
  });

  test('loads what its commands need', async () => {
    const doctor = await atelier('doctor', '--json');
    assert.equal(doctor.code, 2);
    assert.match(doctor.stdout, /No server specified/);
    const down = await atelier('jobs', '--url', 'http://127.0.0.1:9', '--key', 'x');
    assert.equal(down.code, 4, down.stderr);
    assert.equal((await atelier('run', 'missing.json', '--url', 'http://127.0.0.1:9', '--key', 'x')).code, 2);
  });

  test('has no installation of Atelier to start', async () => {
    const { code, stderr } = await atelier('serve');
    assert.equal(code, 2);
    assert.match(stderr, /^error: There is no Atelier installation here.*\n.*login/);
  });
});
