/** `npm run release` writes the tarballs of a version, each to be installed with npm. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { stageServer, stageWorker } from './release/stage-release.ts';
import { ROOT } from './run-command.ts';

const USAGE = `Usage: npm run release -- [FOLDER]

Writes the tarballs of server, worker, command line and client, and their checksums, to FOLDER, which is "release" here unless it is named.
An earlier release in it is replaced. A folder with anything else is refused.`;
const SUMS = 'SHA256SUMS';
const BAD_USE = 2;

const { folder, isHelp, problem } = readArgs();
if (problem === undefined && !isHelp) writeRelease(folder);
else if (problem === undefined) process.stdout.write(`${USAGE}\n`);
else {
  process.stderr.write(`${problem}\n`);
  process.exitCode = BAD_USE;
}

function readArgs() {
  const options = { help: { type: 'boolean', short: 'h', default: false } } as const;
  try {
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    const target = resolve(positionals[0] ?? join(ROOT, 'release'));
    const isOdd = positionals.length > 1 ? 'There is more than one folder. See --help.' : problemOf(target);
    return { folder: target, isHelp: values.help, problem: values.help ? undefined : isOdd };
  } catch (error) {
    return { folder: '', isHelp: false, problem: `${(error as Error).message}\n\n${USAGE}` };
  }
}

/** Files of people must not be lost. */
function problemOf(target: string): string | undefined {
  const others = existsSync(target) ? readdirSync(target).filter((name) => !isOfRelease(name)) : [];
  return others.length === 0
    ? undefined
    : `${target} has more than a release, such as ${others[0]}. Nothing was changed.`;
}

function isOfRelease(name: string): boolean {
  return name === SUMS || /^atelier-.+\.tgz$/.test(name);
}

function writeRelease(target: string): void {
  const work = mkdtempSync(join(tmpdir(), 'atelier-release-'));
  try {
    release(work, target);
  } finally {
    rmSync(work, { recursive: true });
  }
}

function release(work: string, target: string): void {
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

  mkdirSync(target, { recursive: true });
  for (const name of readdirSync(target).filter(isOfRelease)) rmSync(join(target, name));
  const sums = ['server', 'worker', 'cli', 'sdk'].map((name) => {
    const file = pack(folderOf(name), target);
    const hash = createHash('sha256')
      .update(readFileSync(join(target, file)))
      .digest('hex');
    process.stdout.write(`${join(target, file)}\n`);
    return `${hash}  ${file}\n`;
  });
  writeFileSync(join(target, SUMS), sums.join(''));
}

function build(name: string, ...args: readonly string[]): void {
  execFileSync(process.execPath, [join(ROOT, 'packages', name, 'build.ts'), ...args], { stdio: 'inherit' });
}

/** Returns the name of the tarball. */
function pack(staged: string, target: string): string {
  const isWindows = process.platform === 'win32';
  const output = execFileSync(
    isWindows ? 'npm.cmd' : 'npm',
    ['pack', staged, '--json', '--pack-destination', target],
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
