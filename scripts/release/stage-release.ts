import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from '../run-command.ts';
import { compilePackage, readPackage, writeJson } from './compile-package.ts';
import { lockedDependencies } from './locked-dependencies.ts';

interface Stage {
  /** Where it is put together. */
  readonly folder: string;
  /** Absent when the files are not those of a commit. */
  readonly commit: string | undefined;
}

/** Packages that are part of the server's, under `node_modules` there, so that their names lead to them as they do here. */
const SERVER_PARTS = ['contracts', 'engine', 'inspection', 'nodes', 'renderers', 'worker', 'console'];
const WORKER_PARTS = ['contracts', 'engine', 'nodes'];

/**
 * The server with its worker, the console and the command line, in the layout of the repository: what looks for examples, or for an
 * installation, finds it.
 */
export function stageServer({ folder, commit }: Stage, cliFolder: string): void {
  compilePackage('server', join(folder, 'packages/server'));
  stageParts(folder, SERVER_PARTS);
  const workerStart = 'packages/worker/start.js';
  mkdirSync(join(folder, 'packages/worker'), { recursive: true });
  writeFileSync(
    join(folder, workerStart),
    readFileSync(join(ROOT, workerStart), 'utf8').replace('./src/main.ts', '@atelier/worker/main'),
  );
  for (const name of ['examples/workflows', 'examples/first.json', 'docs'])
    cpSync(join(ROOT, name), join(folder, name), { recursive: true, filter: isForReaders });
  for (const name of ['bin', 'lib', 'THIRD-PARTY.md'])
    cpSync(join(cliFolder, name), join(folder, name), { recursive: true });
  for (const name of ['README.md', 'CHANGELOG.md']) cpSync(join(ROOT, name), join(folder, name));
  finish(folder, {
    name: '@atelier/server',
    description: 'The server of Atelier with its worker, console and command line.',
    bin: { atelier: 'bin/atelier.js' },
    parts: SERVER_PARTS,
    // What the console is made with is not needed where it is made.
    dependencies: dependenciesOf(['server', ...SERVER_PARTS.filter((name) => name !== 'console')]),
    commit,
  });
}

/** A server shows the descriptions of its API itself. */
function isForReaders(path: string): boolean {
  return !/openapi[^/\\]*\.json$/.test(path);
}

/** For machines that only run jobs. */
export function stageWorker({ folder, commit }: Stage): void {
  compilePackage('worker', folder);
  stageParts(folder, WORKER_PARTS);
  const bin = join(folder, 'bin/atelier-worker.js');
  mkdirSync(join(folder, 'bin'));
  cpSync(join(ROOT, 'packages/cli/bin/bundled-node.js'), join(folder, 'bin/bundled-node.js'));
  cpSync(join(ROOT, 'scripts/release/atelier-worker.js'), bin);
  chmodSync(bin, 0o755);
  finish(folder, {
    name: '@atelier/worker',
    description: 'A worker of Atelier: runs jobs for a server elsewhere.',
    bin: { 'atelier-worker': 'bin/atelier-worker.js' },
    parts: WORKER_PARTS,
    dependencies: dependenciesOf(['worker', ...WORKER_PARTS]),
    commit,
  });
}

function stageParts(folder: string, parts: readonly string[]): void {
  for (const part of parts) compilePackage(part, join(folder, 'node_modules/@atelier', part));
}

interface Finish {
  readonly name: string;
  readonly description: string;
  readonly bin: Readonly<Record<string, string>>;
  readonly parts: readonly string[];
  readonly dependencies: Readonly<Record<string, string>>;
  readonly commit: string | undefined;
}

function finish(folder: string, { parts, dependencies, commit, ...about }: Finish): void {
  const { version, license, optionalDependencies } = JSON.parse(
    readFileSync(join(ROOT, 'package.json'), 'utf8'),
  ) as Record<string, unknown>;
  const bundled = parts.map((name) => `@atelier/${name}`);
  writeJson(join(folder, 'package.json'), {
    ...about,
    version,
    license,
    type: 'module',
    engines: { node: '>=20.11' },
    dependencies: { ...Object.fromEntries(bundled.map((name) => [name, version])), ...dependencies },
    // The Node that runs it.
    optionalDependencies,
    bundleDependencies: bundled,
  });
  cpSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'));
  if (commit !== undefined) writeFileSync(join(folder, 'COMMIT'), `${commit}\n`);
}

/** What these packages need from elsewhere. */
function dependenciesOf(folders: readonly string[]): Record<string, string> {
  const all = folders.flatMap((folder) => Object.entries(readPackage(folder).dependencies));
  return lockedDependencies(Object.fromEntries(all.filter(([name]) => !name.startsWith('@atelier/'))));
}
