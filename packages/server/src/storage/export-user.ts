import type { Db } from '../platform/db/database.ts';
import { type ExportUser, pagesOf, storedFile } from '../platform/export/exported-file.ts';
import type { FileStore } from '../platform/files/file-store.ts';
import { listUploadsAfter } from './uploads.repo.ts';

const BATCH_SIZE = 100;

/** Files behind links that have not expired. */
export function createExportUser(db: Db, files: Pick<FileStore, 'open'>): ExportUser {
  return async function* exportUser(userId) {
    const pages = pagesOf<Awaited<ReturnType<typeof listUploadsAfter>>[number]>(
      async (last) => await listUploadsAfter(db, userId, last?.id ?? '', BATCH_SIZE),
    );
    for await (const uploads of pages)
      for (const { id, file_name: name, content_hash: hash } of uploads)
        if (hash !== null) yield storedFile(`uploads/${id}/${name}`, files, hash);
  };
}
