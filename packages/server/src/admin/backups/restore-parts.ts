import { open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Kysely } from 'kysely';
import { listAssetsAfter } from '../../cloud/files/assets.repo.ts';
import { createFolderPlaces } from '../../cloud/files/folder-places.ts';
import type { Config } from '../../config/load-config.ts';
import { systemClock } from '../../platform/clock.ts';
import type { Database, Db } from '../../platform/db/database.ts';
import { openPostgres, openSqlite } from '../../platform/db/open-database.ts';
import {
  deleteServerValue,
  findServerValue,
  insertServerValue,
} from '../../platform/db/server-secrets.repo.ts';
import { createSqliteDialect } from '../../platform/db/sqlite-dialect.ts';
import type { TableContent } from '../../platform/db/transfer/load-tables.ts';
import { fromLine } from '../../platform/db/transfer/row-lines.ts';
import { RESTORING } from '../../platform/db/unfinished-restore.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { FILES_MARK, S3_MARK, writeFolderMark } from '../../platform/files/mark-folders.ts';
import { moveMark } from '../../platform/files/s3/mark-bucket.ts';
import { CommandFailed, say } from '../command.ts';
import { fillDatabase, openEmptyPostgres } from '../fill-database.ts';
import { MARKED_FOLDERS, sqliteFileOf } from '../installation.ts';
import { filesOnDisk, type StoredFiles } from '../stored-files.ts';
import { copyFiles } from './copy-files.ts';
import { readFileList } from './file-list.ts';
import type { Manifest } from './manifest.ts';
import { readPart } from './parts.ts';

interface Restore {
  /** Of the backup. */
  readonly folder: string;
  readonly manifest: Manifest;
  readonly signal: AbortSignal;
}

const AT_ONCE = 16;

/** Fills the database, all of it or nothing, and leaves the sign that files are to follow. */
export async function restoreRows(config: Config, { folder, manifest, signal }: Restore): Promise<void> {
  const fill = async (db: Db): Promise<void> => {
    await fillDatabase(db, {
      migrations: manifest.migrations.map(({ name }) => name),
      tables: tablesOf(folder, manifest, signal),
      async finish(tx) {
        // Where the files were, which is not where they will be.
        await deleteServerValue(tx, S3_MARK);
        await insertServerValue(tx, { name: RESTORING, value: Buffer.from(manifest.id), now: systemClock() });
      },
    });
  };
  const { url } = config.database;
  if (url) {
    await using ending = new AsyncDisposableStack();
    const db = openEmptyPostgres(url);
    ending.defer(async () => await db.destroy());
    await fill(db);
    return;
  }
  // Under another name until it is whole.
  const file = sqliteFileOf(config);
  const temporary = `${file}.restoring`;
  for (const ending of ['', '-wal', '-shm']) await rm(`${temporary}${ending}`, { force: true });
  const db = new Kysely<Database>({ dialect: createSqliteDialect(temporary) });
  try {
    await fill(db);
  } finally {
    await db.destroy();
  }
  await rename(temporary, file);
  await syncFolder(dirname(file));
}

function* tablesOf(folder: string, { tables }: Manifest, signal: AbortSignal): Generator<TableContent> {
  for (const { name, columns, counter, rows } of tables) {
    signal.throwIfAborted();
    yield {
      name,
      columns,
      counter: counter ?? undefined,
      count: rows.lines,
      rows: rowsOf(folder, rows.path),
    };
  }
}

async function* rowsOf(folder: string, path: string) {
  for await (const line of readPart(folder, { path })) yield fromLine(line);
}

/** Brings the files to where the settings say, with what is beside them, and takes the sign away. */
export async function restoreFiles(
  config: Config,
  { folder, manifest, files, signal }: Restore & { readonly files: StoredFiles },
): Promise<void> {
  const from = filesOnDisk(join(folder, 'files'));
  const list = readFileList(readPart(folder, manifest.files.list));
  for await (const { file, outcome } of copyFiles(list, { from, to: files, signal })) {
    if (outcome === 'missing' || outcome === 'damaged')
      throw new CommandFailed(
        `The backup has changed since it was checked: ${file.hash} of ${file.store} is ${outcome}. Run this again when it is whole.`,
      );
  }
  await using ending = new AsyncDisposableStack();
  const { url, poolSize } = config.database;
  const db = url
    ? await openPostgres({ url, poolSize, onLost: () => {} })
    : await openSqlite(sqliteFileOf(config));
  ending.defer(async () => await db.destroy());
  if (files.s3) await moveMark(db, files.s3, systemClock());
  else await restoreFolders(db, files, signal);
  await deleteServerValue(db, RESTORING);
}

/** The names of users' files, and the marks. */
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
      const assets = await listAssetsAfter(db, after, AT_ONCE);
      const shown = assets.map(async (asset) => {
        await show(asset).catch((error: unknown) => {
          if (!(error instanceof AppError)) throw error;
          process.stderr.write(`${asset.id}: ${error.message}\n`);
        });
      });
      await Promise.all(shown);
      count += assets.length;
      after = assets.at(-1)?.id ?? after;
      if (assets.length < AT_ONCE) break;
    }
    say(`names of users' files: ${count}.`);
  } finally {
    await store.close();
  }
  const mark = (await findServerValue(db, FILES_MARK))?.toString();
  if (mark === undefined) throw new Error('The database has no mark.');
  for (const name of MARKED_FOLDERS) await writeFolderMark(join(files.place, name), mark);
}

async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  await using handle = await open(path, 'r');
  await handle.sync();
}
