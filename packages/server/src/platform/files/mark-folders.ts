import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { present } from '@atelier/contracts/present';

import { type Db, withTransaction } from '../db/database.ts';
import { lockByName } from '../db/lock-by-name.ts';
import { findServerValue, insertServerValue } from '../db/server-secrets.repo.ts';
import { RESTORE_TABLE, unfinishedRestore } from '../db/unfinished-restore.ts';
import { newId } from '../ids.ts';
import { StartError } from '../start-error.ts';
import { ifThere } from './missing-file.ts';

/** Names in `server_secrets`. */
export const FILES_MARK = 'files-mark';
export const S3_MARK = 's3-mark';
const FILE = '.atelier-files';

/** The marks in the database; none before the first start. */
export interface Marks {
  readonly files?: string;
  readonly s3?: string;
}

export async function readMarks(db: Db): Promise<Marks> {
  const read = async (name: string) => (await findServerValue(db, name))?.toString();
  return present({ files: await read(FILES_MARK), s3: await read(S3_MARK) });
}

/** The same for a database that may be empty or older. Refuses one with an unfinished restore. */
export async function readMarksBeforeMigration(db: Db): Promise<Marks> {
  const names = new Set((await db.introspection.getTables()).map(({ name }) => name));
  if (names.has(RESTORE_TABLE)) throw unfinishedRestore();
  return names.has('server_secrets') ? await readMarks(db) : {};
}

/**
 * Checks that the folders belong to the database: both have the same mark, made at the first start. With other folders a server
 * would miss the files of its rows, and the next job would overwrite files. Resolves to the mark, the id of the installation.
 */
export async function markFolders(db: Db, folders: readonly string[], now: number): Promise<string> {
  return await withTransaction(db, async (tx) => {
    // Servers that start together on an empty database agree on one mark.
    await lockByName(tx, FILES_MARK);
    const marks = await readMarks(tx);
    const { mark, lacking } = await checkFolders(marks, folders);
    for (const folder of lacking) await writeFolderMark(folder, mark);
    if (marks.files === undefined)
      await insertServerValue(tx, { name: FILES_MARK, value: Buffer.from(mark), now });
    return mark;
  });
}

/** Refuses folders of another database. Changes nothing. */
export async function checkFolders({ files: known, s3 }: Marks, folders: readonly string[]) {
  if (s3 !== undefined) throw inS3();
  const found = new Map<string, string | undefined>();
  for (const folder of folders) found.set(folder, await readFolderMark(folder));
  // An interrupted first start leaves a mark in a folder but none in the database.
  const mark = known ?? [...found.values()].find((each) => each !== undefined) ?? newId();
  const lacking = folders.filter((folder) => found.get(folder) !== mark);
  const isFirst = known === undefined && lacking.every((folder) => found.get(folder) === undefined);
  if (lacking.length > 0 && !isFirst) throw elsewhere(lacking, mark);
  return { mark, lacking };
}

/** Marks the folder as that of the database with the same mark. */
export async function writeFolderMark(folder: string, mark: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(join(folder, FILE), mark);
}

export async function readFolderMark(folder: string): Promise<string | undefined> {
  return (await ifThere(readFile(join(folder, FILE), 'utf8')))?.trim();
}

function elsewhere(folders: readonly string[], mark: string): StartError {
  const files = folders.map((folder) => join(folder, FILE));
  return new StartError(
    `The files of this database are not in ${folders.join(', ')}. Set ATELIER_DATA_DIR to the data folder that has them, restore it, \
or, with several servers, link the shared folders. If the files are lost for good: \
mkdir -p ${folders.join(' ')} && echo ${mark} | tee ${files.join(' ')}`,
  );
}

function inS3(): StartError {
  return new StartError(
    'The files of this database are in an S3 bucket. Set ATELIER_S3_BUCKET and the settings beside it, as on the other servers.',
  );
}
