import { open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { CliError } from '../exit-codes.ts';
import { makeFolder } from '../make-folder.ts';

const RETRY_MS = 20;
/** The work takes some milliseconds, so a lock that stays is of a program that was killed. Removing it could remove the next one's. */
const PATIENCE_MS = 10_000;

/** Does work on a file while no other program that asks the same way does. */
export async function withLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const lock = `${path}.lock`;
  const start = performance.now();
  while (!(await take(lock, path))) {
    if (performance.now() - start > PATIENCE_MS)
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
