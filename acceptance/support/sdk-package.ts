import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { PATIENCE_MS, temporaryFolder } from '@atelier/testing';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../..');

/** An empty project in which the packed client is installed, as from a registry but without a network. */
export async function installPackage(): Promise<AsyncDisposable & { path: string; tarball: string }> {
  const folder = await temporaryFolder();
  const [built, project] = [join(folder.path, 'built'), join(folder.path, 'project')];
  await mkdir(project);
  await runIn(ROOT, process.execPath, ['packages/sdk/build.ts', built]);
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const packed = await runIn(folder.path, npm, ['pack', built, '--json']);
  const [{ filename }] = JSON.parse(packed) as [{ filename: string }];
  const tarball = join(folder.path, filename);
  await writeFile(join(project, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  await runIn(project, npm, ['install', '--offline', '--no-audit', '--no-fund', tarball]);
  return { path: project, tarball, [Symbol.asyncDispose]: async () => await folder[Symbol.asyncDispose]() };
}

/** What the program prints. */
export async function runIn(
  cwd: string,
  command: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { PATH = '', HOME = '' } = process.env;
  const { stdout } = await run(command, args, {
    cwd,
    env: { PATH, HOME, ...environment },
    timeout: PATIENCE_MS,
    shell: process.platform === 'win32',
  }).catch((error: { stdout?: string; stderr?: string; message: string }) => {
    throw new Error(`${error.message}\n${error.stdout ?? ''}${error.stderr ?? ''}`);
  });
  return stdout;
}

/** A Node 20 of this machine, which is the oldest that the client runs in; `undefined` when there is none. */
export async function findNode20(): Promise<string | undefined> {
  return await findProgram('node', /^v20\./);
}

/** Where on the PATH a program of such a version is. */
export async function findProgram(name: string, version: RegExp): Promise<string | undefined> {
  const places = (process.env['PATH'] ?? '').split(delimiter);
  for (const place of new Set(places)) {
    const program = join(place, name);
    const said = await run(program, ['--version']).then(
      ({ stdout }) => stdout,
      () => undefined,
    );
    if (said !== undefined && version.test(said)) return program;
  }
  return undefined;
}

export async function typeCheck(project: string): Promise<string> {
  return await runIn(project, process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', '.']);
}
