import { existsSync } from 'node:fs';
import { join } from 'node:path';

import type { Config } from '../config/load-config.ts';
import { claimDataFolder, DataFolderBusy } from '../platform/data-folder.ts';
import type { Db } from '../platform/db/database.ts';
import { openAsItIs } from '../platform/db/open-database.ts';
import { countRunningServers } from '../platform/db/running-servers.repo.ts';
import { holdPostgres } from '../platform/db/transfer/connect-postgres.ts';
import { assertKnown, UnknownMigrations } from '../platform/db/transfer/known-migrations.ts';
import {
  openPostgresSnapshot,
  openSqliteSnapshot,
  type Snapshot,
} from '../platform/db/transfer/open-snapshot.ts';
import { readApplied, tablesIn } from '../platform/db/transfer/read-snapshot.ts';
import { layoutsOf } from '../platform/db/transfer/table-layouts.ts';
import { RESTORE_TABLE, unfinishedRestore } from '../platform/db/unfinished-restore.ts';
import { FILES_MARK, readFolderMark, S3_MARK } from '../platform/files/mark-folders.ts';
import { readBucketMark } from '../platform/files/s3/mark-bucket.ts';
import type { Secret } from '../platform/secret.ts';
import { CommandFailed } from './command.ts';
import type { StoredFiles } from './stored-files.ts';

/** Folders that hold the mark of the database. */
export const MARKED_FOLDERS = ['outputs', 'tasks', 'users'];

export const sqliteFileOf = ({ dataFolder }: Pick<Config, 'dataFolder'>): string =>
  join(dataFolder, 'atelier.sqlite');

/** The database of the settings, as it is at this moment. Reading does not upgrade it. */
export async function openSnapshot(config: Config): Promise<Snapshot> {
  const { url } = config.database;
  if (url) return await openPostgresSnapshot(url);
  const file = sqliteFileOf(config);
  if (!existsSync(file)) throw new CommandFailed(`There is no database ${file}. Set ATELIER_DATA_DIR.`);
  return openSqliteSnapshot(file);
}

/** The database of the settings, for reading and writing. A command creates none and migrates none: a server does. */
export async function openDatabase(config: Config): Promise<Db> {
  const { url } = config.database;
  const file = sqliteFileOf(config);
  if (!url && !existsSync(file))
    throw new CommandFailed(
      `There is no installation in ${config.dataFolder}. Set ATELIER_DATA_DIR as the server has it, or start the server once.`,
    );
  return await openAsItIs(url ? { url } : { file });
}

export type DatabaseContent = Awaited<ReturnType<typeof readContent>>;

/** What the database holds. Refuses one that is empty, or of a newer program. */
export async function readContent(snapshot: Snapshot) {
  if ((await tablesIn(snapshot)).includes(RESTORE_TABLE)) throw unfinishedRestore();
  const migrations = await readApplied(snapshot);
  if (migrations.length === 0)
    throw new CommandFailed('The database is empty: it was never used by a server. Check the settings.');
  try {
    assertKnown(migrations);
  } catch (error) {
    if (!(error instanceof UnknownMigrations)) throw error;
    throw new CommandFailed(
      `The database does not fit this version of Atelier: ${error.message}. Use the version of the server.`,
    );
  }
  const layouts = await layoutsOf(migrations.map(({ name }) => name));
  return { migrations, layouts, tables: new Set(layouts.map(({ name }) => name)) };
}

/** Refuses files that are not those of the database. Resolves to the mark of the installation. */
export async function assertOwnFiles(snapshot: Snapshot, files: StoredFiles): Promise<string> {
  const mark = await valueOf(snapshot, FILES_MARK);
  const bucketMark = await valueOf(snapshot, S3_MARK);
  if (mark === undefined)
    throw new CommandFailed('The database was never used by this version of the server. Start it once.');
  if (files.s3) {
    if (bucketMark === undefined)
      throw new CommandFailed(
        'The files of this database are on a disk. Run this without ATELIER_S3_BUCKET.',
      );
    if ((await readBucketMark(files.s3)) !== bucketMark)
      throw new CommandFailed(
        `The files of this database are not in ${files.place}. Check ATELIER_S3_BUCKET and ATELIER_S3_PREFIX.`,
      );
    return mark;
  }
  if (bucketMark !== undefined)
    throw new CommandFailed(
      'The files of this database are in an S3 bucket. Set ATELIER_S3_BUCKET and the settings beside it.',
    );
  for (const name of MARKED_FOLDERS) {
    const folder = join(files.place, name);
    if ((await readFolderMark(folder)) !== mark)
      throw new CommandFailed(
        `The files of this database are not in ${folder}. Set ATELIER_DATA_DIR to the data folder that has them.`,
      );
  }
  return mark;
}

/** The same, for the database of the settings. */
export async function checkOwnFiles(config: Config, files: StoredFiles): Promise<string> {
  await using snapshot = await openSnapshot(config);
  await readContent(snapshot);
  return await assertOwnFiles(snapshot, files);
}

async function valueOf(snapshot: Snapshot, name: string): Promise<string | undefined> {
  for await (const [value] of snapshot.rows('select value from server_secrets where name = $1', [name]))
    return Buffer.from(value as Uint8Array).toString();
  return undefined;
}

/** Keeps servers and other commands off the data folder. `undefined` when one of them has it. */
export async function claimIfFree({ dataFolder }: Config): Promise<Disposable | undefined> {
  try {
    const { release } = await claimDataFolder(dataFolder);
    return { [Symbol.dispose]: release };
  } catch (error) {
    if (error instanceof DataFolderBusy) return undefined;
    throw error;
  }
}

export async function holdDataFolder(config: Config): Promise<Disposable> {
  const held = await claimIfFree(config);
  if (held) return held;
  throw new CommandFailed(
    `A server or another command uses ${config.dataFolder}. Stop the server, or wait for the command. Nothing was changed.`,
  );
}

/** Keeps other commands from filling the same PostgreSQL database. `setting` is where its address was given. */
export async function holdDatabase(url: Secret, setting?: string): Promise<AsyncDisposable> {
  const held = await holdPostgres(url, setting);
  if (!held) throw new CommandFailed('Another command fills this database now. Nothing was changed.');
  return held;
}

export async function assertNoServers(db: Db): Promise<void> {
  const count = await countRunningServers(db);
  if (count > 0)
    throw new CommandFailed(
      `${count === 1 ? 'A server runs' : `${count} servers run`} on the database. Stop ${count === 1 ? 'it' : 'them'} first. Nothing was changed.`,
    );
}
