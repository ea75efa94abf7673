import { join } from 'node:path';

import type { ProxyParts } from '../proxy-parts.ts';
import { extensionOf } from '../task-links.ts';
import { listFiles, type TaskFile } from '../tasks.repo.ts';
import type { VendorInput } from '../vendors/vendor.ts';
import type { HeldTask } from './claim-tasks.ts';

const LINK_MS = 24 * 3_600_000;

/** Copies a task's pictures, all of which are in the store by now, into a folder. */
export function createBringInputs({
  db,
  store,
  clock,
  publicUrl,
}: ProxyParts & { readonly publicUrl: string | undefined }) {
  // Vendors fetch from https only. Otherwise the picture is sent with the request.
  const canLink = publicUrl?.startsWith('https:') === true;

  async function bring(
    { role, hash, media_type: mediaType }: TaskFile,
    folder: string,
  ): Promise<VendorInput> {
    if (hash === null || mediaType === null) throw new Error(`${role} was never fetched.`);
    const name = `${role}.${extensionOf(mediaType)}`;
    const path = join(folder, name);
    if (!(await store.copyTo(hash, path))) throw new Error(`The input ${hash} is not in the store.`);
    const link = { name, mediaType, expiresAt: clock() + LINK_MS };
    return { path, mediaType, url: canLink ? await store.signedUrl({ hash }, link) : undefined };
  }

  return async (task: HeldTask, folder: string): Promise<Readonly<Record<string, VendorInput>>> => {
    const brought: Record<string, VendorInput> = {};
    for (const file of await listFiles(db, task.seq)) {
      if (file.is_input === 1) brought[file.role] = await bring(file, folder);
    }
    return brought;
  };
}
