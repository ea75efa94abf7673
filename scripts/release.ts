/**
 * `npm run release` writes the tarballs of a version to `release`, or to the folder that is named: server, worker, command line and client, each
 * to be installed with npm, and their checksums.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { stageServer, stageWorker } from './release/stage-release.ts';
import { ROOT } from './run-command.ts';

const target = resolve(process.argv[2] ?? join(ROOT, 'release'));
const work = mkdtempSync(join(tmpdir(), 'atelier-release-'));
try {
  release();
} finally {
  rmSync(work, { recursive: true });
}

function release(): void {
  const commit = findCommit();
  if (commit === undefined)
    process.stderr.write('The files are not those of a commit, so the release names none.\n');
  const folderOf = (name: string): string => join(work, name);
  // Nothing when it is built already.
  build('console');
  build('cli', folderOf('cli'));
  build('sdk', folderOf('sdk'));
  for (const name of ['server', 'worker']) mkdirSync(folderOf(name));
  stageServer({ folder: folderOf('server'), commit }, folderOf('cli'));
  stageWorker({ folder: folderOf('worker'), commit });

  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  const sums = ['server', 'worker', 'cli', 'sdk'].map((name) => {
    const file = pack(folderOf(name));
    const hash = createHash('sha256')
      .update(readFileSync(join(target, file)))
      .digest('hex');
    process.stdout.write(`${join(target, file)}\n`);
    return `${hash}  ${file}\n`;
  });
  writeFileSync(join(target, 'SHA256SUMS'), sums.join(''));
}

function build(name: string, ...args: readonly string[]): void {
  execFileSync(process.execPath, [join(ROOT, 'packages', name, 'build.ts'), ...args], { stdio: 'inherit' });
}

/** Returns the name of the tarball. */
function pack(folder: string): string {
  const isWindows = process.platform === 'win32';
  const output = execFileSync(
    isWindows ? 'npm.cmd' : 'npm',
    ['pack', folder, '--json', '--pack-destination', target],
    { encoding: 'utf8', shell: isWindows, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const [packed] = JSON.parse(output) as [{ readonly filename: string }];
  return packed.filename;
}

/** Of a clone without changes. */
function findCommit(): string | undefined {
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-C', ROOT, ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  try {
    return git('status', '--porcelain') === '' ? git('rev-parse', 'HEAD') : undefined;
  } catch {
    return undefined;
  }
}
