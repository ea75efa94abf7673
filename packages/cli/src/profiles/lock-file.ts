import { open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { CliError } from '../exit-codes.ts';
import { makeFolder } from '../make-folder.ts';

const RETRY_MS = 20;
/** The work takes milliseconds, so a lock that stays belongs to a killed program. It is not removed, because it could be the lock of another program by then. */
const MAX_WAIT_MS = 10_000;

/** Runs work on a file while holding its lock. */
export async function withLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const lock = `${path}.lock`;
  const start = performance.now();
  while (!(await take(lock, path))) {
    if (performance.now() - start > MAX_WAIT_MS)
      throw new CliError(`${path} is in use by another program.`, {
        advice: `If there is none, remove ${lock}.`,
      });
    await sleep(RETRY_MS);
  }
  try {
    return await work();
  } finally {
    await rm(lock, { force: true });
  }
}

async function take(lock: string, path: string): Promise<boolean> {
  try {
    await makeFolder(dirname(path), 0o700);
    await (await open(lock, 'wx')).close();
    return true;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'EEXIST')
      throw new CliError(`${path} cannot be written (${code ?? message}).`, { cause: error });
    return false;
  }
}
