import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { errorCode } from '../errors/error-code.ts';
import { FILE_HASH } from './file-store.ts';

/** Every stored hash once: those after one in order, then those up to it. */
export async function* storedHashes(folder: string, first: string): AsyncGenerator<string> {
  for (const isLater of [true, false]) {
    for (const outer of await namesIn(folder, /^[0-9a-f]{2}$/)) {
      if (isLater ? outer < first.slice(0, 2) : outer > first) continue;
      for (const inner of await namesIn(join(folder, outer), /^[0-9a-f]{2}$/)) {
        for (const hash of await namesIn(join(folder, outer, inner), FILE_HASH)) {
          if (hash > first === isLater) yield hash;
        }
      }
    }
  }
}

async function namesIn(folder: string, pattern: RegExp): Promise<string[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    // It was never used, or its last file is gone.
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  });
  return names.filter((name) => pattern.test(name)).toSorted();
}
