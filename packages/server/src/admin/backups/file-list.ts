import { FILE_HASH } from '../../platform/files/file-store.ts';
import { CommandFailed } from '../command.ts';
import { STORES } from '../named-files.ts';
import type { FileToCopy } from './copy-files.ts';

export interface ListedFile extends FileToCopy {
  /** Whether it must be there. */
  readonly isDue: boolean;
}

/** A line of a list of files. Lists are ordered by store, then by hash. */
export function toFileLine({ store, hash, size, isDue }: ListedFile): string {
  return JSON.stringify([store, hash, size, isDue]);
}

export async function* readFileList(lines: AsyncIterable<string>): AsyncGenerator<ListedFile> {
  for await (const line of lines) {
    const [name, hash, size, isDue] = JSON.parse(line) as unknown[];
    const store = STORES.find((each) => each === name);
    if (!store || typeof hash !== 'string' || !FILE_HASH.test(hash) || typeof size !== 'number')
      throw new CommandFailed("The backup's file list was not written by Atelier.");
    yield { store, hash, size, isDue: isDue === true };
  }
}
