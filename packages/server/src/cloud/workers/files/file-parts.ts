import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';

import type { Clock } from '../../../platform/clock.ts';
import { type Db, withTransaction } from '../../../platform/db/database.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import type { FileStore, StoredFile } from '../../../platform/files/file-store.ts';
import { lockContent } from '../../files/assets.repo.ts';
import { listParts, putPart } from '../../files/made-files.repo.ts';
import { sweepContent } from '../../files/sweep-content.ts';

interface Parts {
  readonly db: Db;
  readonly clock: Clock;
  readonly store: Pick<FileStore, 'delete' | 'open' | 'put'>;
}

interface FilePart {
  readonly jobId: string;
  readonly name: string;
  readonly start: number;
  readonly size: number;
}

class OtherSize extends Error {
  override readonly name = 'OtherSize';
}

/** The parts of files that workers send. They are kept in the store, because each part may go to another server. */
export function createFileParts({ db, clock, store }: Parts) {
  return {
    /** How many bytes have arrived without a gap. */
    async sizeOf(name: string): Promise<number> {
      let size = 0;
      for (const part of await listParts(db, name)) if (part.start === size) size += part.size;
      return size;
    },

    /** Stores a part, and replaces an earlier copy. False when it has another size. */
    async put({ jobId, name, start, size }: FilePart, bytes: AsyncIterable<Uint8Array>): Promise<boolean> {
      let replaced: string | undefined;
      const accept = async (part: StoredFile) => {
        if (part.size !== size) throw new OtherSize();
        await withTransaction(db, async (tx) => {
          await lockContent(tx, part.hash);
          const row = { job_id: jobId, name, start, content_hash: part.hash, size, created_at: clock() };
          replaced = (await putPart(tx, row))?.content_hash;
        });
      };
      try {
        const { hash } = await store.put(bytes, { maxBytes: size, accept, isDurable: false });
        if (replaced !== undefined && replaced !== hash) await sweepContent({ db, store }, replaced);
        return true;
      } catch (error) {
        if (error instanceof OtherSize || isTooLarge(error)) return false;
        throw error;
      }
    },

    /** Writes the whole file to a new path and returns its SHA-256. */
    async join(name: string, path: string): Promise<string> {
      const running = createHash('sha256');
      const all = async function* () {
        for (const { content_hash: hash } of await listParts(db, name)) {
          const opened = await store.open(hash);
          if (!opened) throw new Error('A part of a file is missing in the store.');
          for await (const chunk of opened.stream) {
            running.update(chunk as Uint8Array);
            yield chunk;
          }
        }
      };
      await pipeline(all, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
      return running.digest('hex');
    },
  };
}

function isTooLarge(error: unknown): boolean {
  return error instanceof AppError && error.code === 'file.too_large';
}
