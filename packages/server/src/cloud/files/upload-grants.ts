import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../platform/clock.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { errorCode } from '../../platform/errors/error-code.ts';
import { createLinkSeal } from '../../platform/files/link-seal.ts';
import { newId } from '../../platform/ids.ts';
import type { Secret } from '../../platform/secret.ts';

const LIFE_SECONDS = 600;
const USED = '.used-grants';

interface Parts {
  readonly key: Secret<Uint8Array>;
  readonly clock: Clock;
  /** Has a mark for each that was used. */
  readonly folder: string;
}

export type UploadGrants = ReturnType<typeof createUploadGrants>;

/** Rights to upload one picture each, which need no other credential. Altered, expired and used ones look the same: missing. */
export function createUploadGrants({ key, clock, folder }: Parts) {
  const missing = () =>
    new AppError(
      'resource.not_found',
      'There is no upload at this address any more: it was used, or it has expired.',
    );
  const seal = createLinkSeal({ key, purpose: 'cloud-upload.1', clock, altered: missing, expired: missing });
  const marks = join(folder, USED);

  return {
    /** The last part of the address to upload to. */
    grant(userId: string, contentType: string) {
      const id = newId();
      const { expires, signature } = seal.sign([id, userId, contentType], clock() + LIFE_SECONDS * 1000);
      const token = [id, userId, Buffer.from(contentType).toString('base64url'), expires, signature].join(
        '.',
      );
      return { token, expiresIn: LIFE_SECONDS };
    },

    open(token: string) {
      const [id = '', userId = '', type = '', expires = '', signature = '', ...rest] = token.split('.');
      const contentType = Buffer.from(type, 'base64url').toString();
      if (rest.length > 0) throw missing();
      seal.verify([id, userId, contentType], { expires, signature });
      return { id, userId, contentType };
    },

    /** Lets one caller in; the place is free again when the work fails. */
    async use<T>({ id }: { readonly id: string }, work: () => Promise<T>): Promise<T> {
      await mkdir(marks, { recursive: true, mode: 0o700 });
      const mark = join(marks, id);
      const handle = await open(mark, 'wx').catch((error: unknown) => {
        if (errorCode(error) === 'EEXIST') throw missing();
        throw error;
      });
      await handle.close();
      try {
        return await work();
      } catch (error) {
        await rm(mark, { force: true });
        throw error;
      }
    },

    async tidy(): Promise<void> {
      for (const name of await readdir(marks).catch(() => [])) {
        const { mtimeMs } = await stat(join(marks, name));
        if (clock() - mtimeMs > 2 * LIFE_SECONDS * 1000) await rm(join(marks, name), { force: true });
      }
    },
  };
}
