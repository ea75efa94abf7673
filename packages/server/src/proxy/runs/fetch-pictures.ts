import { mkdtempDisposable } from 'node:fs/promises';
import { join } from 'node:path';

import { withTransaction } from '../../platform/db/database.ts';
import { type PictureSources, PictureUnreachable, toUnreachable } from '../pictures/picture-sources.ts';
import type { TaskContents } from '../pictures/task-contents.ts';
import { validatePicture } from '../pictures/validate-picture.ts';
import type { ProxyParts } from '../proxy-parts.ts';
import { listFiles, setInputFile, type TaskFile } from '../tasks.repo.ts';
import type { HeldTask } from './claim-tasks.ts';

interface Parts extends ProxyParts {
  readonly contents: TaskContents;
  readonly sources: PictureSources;
}

/** No server can work on the task. */
export class UnusableInput extends Error {
  override readonly name = 'UnusableInput';
  readonly code: 'ImageDownloadFailure' | 'ImageFormatInvalid';

  constructor(code: UnusableInput['code'], message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

/** Fetches the pictures that a request named by URL, and validates them like those sent with a request. */
export function createFetchPictures(parts: Parts) {
  const { db, store, contents, countStorage, sources, workFolder } = parts;

  async function fetchInput(userId: string, input: TaskFile, signal: AbortSignal): Promise<void> {
    const body = await sources.open(input.url ?? '', signal);
    const { hash, mediaType, size } = await store.put(body, { maxBytes: sources.maxBytes, signal });
    const problem = await problemOf(input, hash);
    if (problem !== undefined) {
      await contents.sweep([hash]);
      throw new UnusableInput('ImageFormatInvalid', `${input.role} ${problem}.`);
    }
    const isKept = await withTransaction(db, async (tx) => {
      if (!(await contents.claim(tx, hash))) return false;
      // A step that lost its lease may still deliver the same picture.
      const isFirst = await setInputFile(tx, input.seq, { hash, media_type: mediaType, size });
      if (isFirst) await countStorage(tx, userId, { files: 1, bytes: size });
      return true;
    });
    if (!isKept) throw new Error(`The picture ${hash} was taken away while it was fetched.`);
  }

  async function problemOf({ role }: TaskFile, hash: string): Promise<string | undefined> {
    await using folder = await mkdtempDisposable(join(workFolder, 'step-'));
    const path = join(folder.path, 'picture');
    if (!(await store.copyTo(hash, path))) throw new Error(`The picture ${hash} is not in the store.`);
    return await validatePicture(path, { isFrame: role === 'images' });
  }

  return async (task: HeldTask, signal: AbortSignal): Promise<void> => {
    const inputs = await listFiles(db, task.seq);
    for (const input of inputs) {
      if (input.is_input === 0 || input.hash !== null) continue;
      try {
        await fetchInput(task.user_id, input, signal);
      } catch (error) {
        signal.throwIfAborted();
        const reason = toUnreachable(error);
        if (!(reason instanceof PictureUnreachable) || reason.mayPass) throw reason;
        const sentence = `${input.role} could not be fetched: ${reason.message}`;
        throw new UnusableInput('ImageDownloadFailure', sentence, error);
      }
    }
  };
}
