import { join } from 'node:path';

import { listAssetsAfter } from '../../cloud/files/assets.repo.ts';
import { createFolderPlaces } from '../../cloud/files/folder-places.ts';
import { systemClock } from '../../platform/clock.ts';
import type { Db } from '../../platform/db/database.ts';
import {
  deleteServerValue,
  findServerValue,
  updateServerValue,
} from '../../platform/db/server-secrets.repo.ts';
import { createMigrationTables, type TableContent } from '../../platform/db/transfer/load-tables.ts';
import { fromLine } from '../../platform/db/transfer/row-lines.ts';
import { beginRestore, endRestore } from '../../platform/db/unfinished-restore.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { FILES_MARK, readFolderMark, S3_MARK, writeFolderMark } from '../../platform/files/mark-folders.ts';
import { assertOwnBucket, moveMark } from '../../platform/files/s3/mark-bucket.ts';
import { newId } from '../../platform/ids.ts';
import { CommandFailed, say } from '../command.ts';
import { fillDatabase } from '../fill-database.ts';
import { MARKED_FOLDERS } from '../installation.ts';
import { filesOnDisk, type StoredFiles } from '../stored-files.ts';
import { copyFiles } from './copy-files.ts';
import type { Manifest } from './manifest.ts';
import { readFileList, readPart } from './parts.ts';

export interface Restore {
  /** Of the backup. */
  readonly folder: string;
  readonly manifest: Manifest;
  readonly signal: AbortSignal;
}

const BATCH_SIZE = 16;

/** Fills the database, all or nothing, and leaves the mark that files are to follow. */
export async function restoreRows(db: Db, { folder, manifest, signal }: Restore): Promise<void> {
  await createMigrationTables(db);
  // From here on no server starts on it.
  await beginRestore(db, manifest.id);
  await fillDatabase(db, {
    migrations: manifest.migrations.map(({ name }) => name),
    tables: tablesOf(folder, manifest, signal),
    finish: async (tx) => {
      // It names the place of the original files.
      await deleteServerValue(tx, S3_MARK);
      // The original may live on. With its mark, each would accept the other's files, and delete them.
      await updateServerValue(tx, { name: FILES_MARK, value: Buffer.from(newId()) });
    },
  });
}

function* tablesOf(folder: string, { tables }: Manifest, signal: AbortSignal): Generator<TableContent> {
  for (const { name, columns, counter, rows: part } of tables) {
    const rows = rowsOf(folder, part.path, signal);
    yield { name, columns, counter: counter ?? undefined, count: part.lines, rows };
  }
}

async function* rowsOf(folder: string, path: string, signal: AbortSignal) {
  for await (const line of readPart(folder, { path })) {
    signal.throwIfAborted();
    yield fromLine(line);
  }
}

/** Copies the files to where the settings say, with what belongs beside them, and removes the mark. */
export async function restoreFiles(db: Db, files: StoredFiles, { folder, manifest, signal }: Restore) {
  const mark = (await findServerValue(db, FILES_MARK))?.toString();
  if (mark === undefined) throw new Error('The database has no mark.');
  // A restore that is continued may have other settings than before.
  if (files.s3) await assertOwnBucket(db, files.s3);
  else await assertOwnFolders(files.place, mark);
  const from = filesOnDisk(join(folder, 'files'));
  const list = readFileList(folder, manifest.files.list);
  for await (const { file, outcome } of copyFiles(list, { from, to: files, signal })) {
    if (outcome === 'missing' || outcome === 'damaged')
      throw new CommandFailed(
        `The backup has changed since it was checked: ${file.hash} of ${file.store} is ${outcome}. Run this again when it is whole.`,
      );
  }
  if (files.s3) await moveMark(db, files.s3, systemClock());
  else {
    await restoreFolders(db, files, signal);
    for (const name of MARKED_FOLDERS) await writeFolderMark(join(files.place, name), mark);
  }
  await endRestore(db);
}

async function assertOwnFolders(place: string, mark: string): Promise<void> {
  for (const name of MARKED_FOLDERS) {
    const folder = join(place, name);
    const found = await readFolderMark(folder);
    if (found !== undefined && found !== mark)
      throw new CommandFailed(
        `${folder} has the files of another installation. Set ATELIER_DATA_DIR as it was when the restore began.`,
      );
  }
}

/** The names of users' files. */
async function restoreFolders(db: Db, files: StoredFiles, signal: AbortSignal): Promise<void> {
  // Names of files that no output has named yet; with folders there are no such rows.
  await db.deleteFrom('made_files').execute();
  const store = await files.openStore('outputs');
  try {
    const users = join(files.place, 'users');
    const { show } = createFolderPlaces({ db, clock: systemClock, store, folder: users, tempMs: 0 });
    let count = 0;
    for (let after = ''; ; ) {
      signal.throwIfAborted();
      const assets = await listAssetsAfter(db, after, BATCH_SIZE);
      const shown = assets.map(async (asset) => {
        await show(asset).catch((error: unknown) => {
          if (!(error instanceof AppError)) throw error;
          process.stderr.write(`${asset.id}: ${error.message}\n`);
        });
      });
      await Promise.all(shown);
      count += assets.length;
      after = assets.at(-1)?.id ?? after;
      if (assets.length < BATCH_SIZE) break;
    }
    say(`names of users' files: ${count}.`);
  } finally {
    await store.close();
  }
}
