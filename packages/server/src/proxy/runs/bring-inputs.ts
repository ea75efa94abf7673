import { extname, join } from 'node:path';

import { type Db, withTransaction } from '../../platform/db/database.ts';
import type { FileStore, StoredFile } from '../../platform/files/file-store.ts';
import { MOST_PICTURE_BYTES, problemOfPicture } from '../pictures/check-picture.ts';
import { type PictureSources, PictureUnreachable, toUnreachable } from '../pictures/picture-sources.ts';
import type { TaskContents } from '../pictures/task-contents.ts';
import { listFiles, setInputFile, type TaskFile } from '../tasks.repo.ts';
import type { VendorInput } from '../vendors/vendor.ts';
import type { HeldTask } from './claim-tasks.ts';

interface Parts {
  readonly db: Db;
  readonly store: FileStore;
  readonly contents: TaskContents;
  readonly sources: PictureSources;
  /** Where a vendor can fetch a picture; `undefined` when this server has no public address. */
  readonly publicLink: (file: StoredFile, name: string) => Promise<string | undefined>;
}

/** The task cannot be worked on, whoever tries. */
export class UnusableInput extends Error {
  override readonly name = 'UnusableInput';
  readonly code: 'ImageDownloadFailure' | 'ImageFormatInvalid';

  constructor(code: UnusableInput['code'], message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

export type BringInputs = (
  task: HeldTask,
  folder: string,
  signal: AbortSignal,
) => Promise<Readonly<Record<string, VendorInput>>>;

const EXTENSION: Readonly<Record<string, string>> = {
  'image/png': '.png',
  'image/jpeg': '.jpg',
  'image/webp': '.webp',
};

/** Puts a task's pictures into a folder, having fetched those that its request named by URL. */
export function createBringInputs({ db, store, contents, sources, publicLink }: Parts): BringInputs {
  async function fetchInput(input: TaskFile, url: string, signal: AbortSignal): Promise<StoredFile> {
    try {
      const body = await sources.open(url, signal);
      const file = await store.put(body, { maxBytes: MOST_PICTURE_BYTES, signal });
      const isKept = await withTransaction(db, async (tx) => {
        if (!(await contents.claim(tx, file.hash))) return false;
        await setInputFile(tx, input.seq, { hash: file.hash, media_type: file.mediaType, size: file.size });
        return true;
      });
      if (!isKept) throw new Error(`The picture ${file.hash} was taken away while it was fetched.`);
      return file;
    } catch (error) {
      signal.throwIfAborted();
      const reason = toUnreachable(error);
      if (!(reason instanceof PictureUnreachable) || reason.mayPass) throw reason;
      throw new UnusableInput(
        'ImageDownloadFailure',
        `${input.role} could not be fetched: ${reason.message}`,
        error,
      );
    }
  }

  async function bring(input: TaskFile, folder: string, signal: AbortSignal): Promise<VendorInput> {
    const { hash, media_type: mediaType, size, url, role } = input;
    const file =
      hash !== null && mediaType !== null && size !== null
        ? { hash, mediaType, size }
        : await fetchInput(input, url ?? '', signal);
    const path = join(folder, `${role}${EXTENSION[file.mediaType] ?? ''}`);
    if (!(await store.copyTo(file.hash, path)))
      throw new Error(`The input ${file.hash} is not in the store.`);
    const problem = await problemOfPicture(path, { isFrame: role === 'images' });
    if (problem !== undefined) throw new UnusableInput('ImageFormatInvalid', `${role} ${problem}.`);
    const name = `${role}${extname(path)}`;
    return { path, mediaType: file.mediaType, url: await publicLink(file, name) };
  }

  return async (task, folder, signal) => {
    const inputs = (await listFiles(db, task.seq)).filter((file) => file.is_input === 1);
    const brought: Record<string, VendorInput> = {};
    for (const input of inputs) brought[input.role] = await bring(input, folder, signal);
    return brought;
  };
}
