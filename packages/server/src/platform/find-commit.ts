import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(import.meta.dirname, '../../../..');
const COMMIT = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;
const GIT_MS = 5000;

/** The Git commit of this program; `undefined` outside of releases and clones. */
export async function findCommit(): Promise<string | undefined> {
  // A release has the file; a clone has Git.
  const commit = (await readFile(join(ROOT, 'COMMIT'), 'utf8').catch(askGit)).trim();
  return COMMIT.test(commit) ? commit : undefined;
}

/** Asks about this folder only, because it may lie inside another clone. */
async function askGit(): Promise<string> {
  const args = [`--git-dir=${join(ROOT, '.git')}`, 'rev-parse', 'HEAD'];
  const answer = await promisify(execFile)('git', args, { timeout: GIT_MS }).catch(() => undefined);
  return answer?.stdout ?? '';
}
