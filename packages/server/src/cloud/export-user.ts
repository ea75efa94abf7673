import type { Db } from '../platform/db/database.ts';
import type { AssetRow } from '../platform/db/schema/cloud.ts';
import { type ExportUser, jsonLines, pagesOf, storedFile } from '../platform/export/exported-file.ts';
import type { FileStore } from '../platform/files/file-store.ts';
import {
  type ExportedJobRow,
  listAssetsOf,
  listJobsOf,
  toExportedAsset,
  toExportedJob,
} from './export-user.repo.ts';

/** Exports jobs with their workflows and results, and all files. */
export function createExportUser(db: Db, store: Pick<FileStore, 'open'>): ExportUser {
  return async function* exportUser(userId) {
    const assets = () => pagesOf<AssetRow>(async (last) => await listAssetsOf(db, userId, last));
    yield jsonLines('jobs.jsonl', async function* jobs() {
      const pages = pagesOf<ExportedJobRow>(async (last) => await listJobsOf(db, userId, last?.seq));
      for await (const rows of pages) yield rows.map(toExportedJob);
    });
    yield jsonLines('files.jsonl', async function* files() {
      for await (const rows of assets()) yield rows.map(toExportedAsset);
    });
    for await (const rows of assets())
      for (const { path, hash } of rows.map(toExportedAsset)) yield storedFile(path, store, hash);
  };
}
