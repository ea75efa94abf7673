import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { FILE_HASH } from './file-store.ts';
import { ifThere } from './missing-file.ts';

/** All stored hashes in order, starting after `first` and wrapping around. */
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
  // The folder was never used, or is gone with its last file.
  const names = (await ifThere(readdir(folder))) ?? [];
  return names.filter((name) => pattern.test(name)).toSorted();
}
