import { join } from 'node:path';

import type { StoredFile } from '../../platform/files/file-store.ts';
import type { ProxyParts } from '../proxy-parts.ts';
import { listFiles, type TaskFile } from '../tasks.repo.ts';
import type { VendorInput } from '../vendors/vendor.ts';
import type { HeldTask } from './claim-tasks.ts';

interface Parts extends ProxyParts {
  /** Where a vendor can fetch a picture; `undefined` when this server has no public address. */
  readonly publicLink: (file: StoredFile, name: string) => Promise<string | undefined>;
}

export type BringInputs = (task: HeldTask, folder: string) => Promise<Readonly<Record<string, VendorInput>>>;

const EXTENSION: Readonly<Record<string, string>> = {
  'image/png': '.png',
  'image/jpeg': '.jpg',
  'image/webp': '.webp',
};

/** Puts a task's pictures, all of which are in the store by now, into a folder. */
export function createBringInputs({ db, store, publicLink }: Parts): BringInputs {
  async function bring({ role, hash, media_type: mediaType, size }: TaskFile, folder: string) {
    if (hash === null || mediaType === null || size === null) throw new Error(`${role} was never fetched.`);
    const name = `${role}${EXTENSION[mediaType] ?? ''}`;
    const path = join(folder, name);
    if (!(await store.copyTo(hash, path))) throw new Error(`The input ${hash} is not in the store.`);
    return { path, mediaType, url: await publicLink({ hash, mediaType, size }, name) };
  }

  return async (task, folder) => {
    const inputs = (await listFiles(db, task.seq)).filter((file) => file.is_input === 1);
    const brought: Record<string, VendorInput> = {};
    for (const input of inputs) brought[input.role] = await bring(input, folder);
    return brought;
  };
}
