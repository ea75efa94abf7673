import { execFile } from 'node:child_process';
import { lstat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

import { hasCode, PackError } from '../pack-error.ts';

const DEADLINE_MS = 60_000;
const MAX_LIST_BYTES = 64 * 1024 * 1024;
const run = promisify(execFile);

export interface GitFiles {
  readonly tracked: readonly string[];
  /** Folders without tracked files end in a slash. */
  readonly untracked: readonly string[];
}

/** The files that Git tracks in a folder, or why they are unknown. */
export async function listGitFiles(root: string, signal?: AbortSignal): Promise<GitFiles | string> {
  if (!(await isInRepository(root))) return 'the folder is in no Git repository';
  try {
    const tracked = await listFiles(root, [], signal);
    if (tracked.length === 0) return 'Git tracks no file in the folder';
    return { tracked, untracked: await listFiles(root, ['--others', '--directory'], signal) };
  } catch (error) {
    signal?.throwIfAborted();
    if (hasCode(error, 'ENOENT')) return 'git is not installed';
    const { stderr = '' } = error as { stderr?: string };
    const [why = ''] = stderr.trim().split('\n', 1);
    throw new PackError(
      `git cannot list the files of ${root}: ${why || String(error)}. Make "git status" work there.`,
      {
        cause: error,
      },
    );
  }
}

async function listFiles(root: string, args: readonly string[], signal?: AbortSignal): Promise<string[]> {
  // A repository may configure a program that watches its files, which must not run.
  const { stdout } = await run('git', ['-C', root, '-c', 'core.fsmonitor=false', 'ls-files', '-z', ...args], {
    // Windows looks for programs in the current folder first, and a pack may have a git.exe.
    cwd: dirname(process.execPath),
    timeout: DEADLINE_MS,
    maxBuffer: MAX_LIST_BYTES,
    signal,
  });
  return [...new Set(stdout.split('\0').filter((path) => path !== ''))];
}

async function isInRepository(folder: string): Promise<boolean> {
  try {
    await lstat(join(folder, '.git'));
    return true;
  } catch (error) {
    if (!hasCode(error, 'ENOENT', 'ENOTDIR')) throw error;
    return dirname(folder) !== folder && (await isInRepository(dirname(folder)));
  }
}
