import { copyFile, link, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { errorCode } from '../errors/error-code.ts';
import { randomToken } from '../ids.ts';

/** Error codes when a file cannot be hard-linked: another disk, a disk without links, another user's file, too many links. */
export const HARD_LINK_UNSUPPORTED = new Set(['EXDEV', 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK', 'ENOSYS']);

/** A linked file is read-only, because a write through its other name would change the file in the store. */
export const READ_ONLY = 0o400;

export async function linkOrCopy(from: string, to: string): Promise<void> {
  await link(from, to).catch(async (error: unknown) => {
    if (!HARD_LINK_UNSUPPORTED.has(errorCode(error))) throw error;
    await copyFile(from, to);
  });
}

/** Moves a file, also to another disk, in place of what may be there. Readers never see half of it. */
export async function moveTo(from: string, path: string): Promise<void> {
  try {
    await rename(from, path);
  } catch (error) {
    if (errorCode(error) !== 'EXDEV') throw error;
    const beside = join(dirname(path), `.${randomToken(16)}`);
    try {
      await copyFile(from, beside);
      await rename(beside, path);
    } finally {
      await rm(beside, { force: true });
    }
  }
}
