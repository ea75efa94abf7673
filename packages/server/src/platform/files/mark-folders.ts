import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Db, withTransaction } from '../db/database.ts';
import { lockByName } from '../db/lock-by-name.ts';
import { findServerValue, insertServerValue } from '../db/server-secrets.repo.ts';
import { errorCode } from '../errors/error-code.ts';
import { newId } from '../ids.ts';
import { StartError } from '../start-error.ts';

/** Names of values in the database. */
export const FILES_MARK = 'files-mark';
export const S3_MARK = 's3-mark';
const FILE = '.atelier-files';

/**
 * Holds the folders to be those whose files the database knows: both have the same mark, made at the first start. A server with
 * other folders would not find what its rows name, and would let the next job overwrite it. Resolves to the mark, which names this
 * installation.
 */
export async function markFolders(db: Db, folders: readonly string[], now: number): Promise<string> {
  return await withTransaction(db, async (tx) => {
    // Servers that start together on an empty database agree on one mark.
    await lockByName(tx, FILES_MARK);
    if ((await findServerValue(tx, S3_MARK)) !== undefined) throw inS3();
    const known = (await findServerValue(tx, FILES_MARK))?.toString();
    const found = new Map<string, string | undefined>();
    for (const folder of folders) found.set(folder, await readFolderMark(folder));
    // A start that was cut off has left a mark in a folder and none in the database.
    const mark = known ?? [...found.values()].find((each) => each !== undefined) ?? newId();
    const lacking = folders.filter((folder) => found.get(folder) !== mark);
    const isFirst = known === undefined && lacking.every((folder) => found.get(folder) === undefined);
    if (lacking.length > 0 && !isFirst) throw elsewhere(lacking, mark);
    for (const folder of lacking) {
      await writeFolderMark(folder, mark);
    }
    if (known === undefined) await insertServerValue(tx, { name: FILES_MARK, value: Buffer.from(mark), now });
    return mark;
  });
}

/** Says that the files in the folder are those of the database with the same mark. */
export async function writeFolderMark(folder: string, mark: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(join(folder, FILE), mark);
}

export async function readFolderMark(folder: string): Promise<string | undefined> {
  try {
    return (await readFile(join(folder, FILE), 'utf8')).trim();
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
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
