import { notFound } from '../errors/app-error.ts';
import type { DirectUrlOptions, FileStore } from './file-store.ts';

/** Reads a file from the first store that has it. */
export function firstOf(...stores: readonly FileStore[]): Pick<FileStore, 'stat' | 'open' | 'directUrl'> {
  const first = async <T>(ask: (store: FileStore) => Promise<T | undefined>): Promise<T | undefined> => {
    for (const store of stores) {
      const found = await ask(store);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return {
    stat: async (hash) => await first(async (store) => await store.stat(hash)),
    open: async (hash, options) => await first(async (store) => await store.open(hash, options)),
    ...(stores.every((store) => store.directUrl) && {
      async directUrl(hash: string, options: DirectUrlOptions): Promise<string> {
        const url = await first(async (store) =>
          (await store.stat(hash)) ? await store.directUrl?.(hash, options) : undefined,
        );
        if (url === undefined) throw notFound('file', hash);
        return url;
      },
    }),
  };
}
