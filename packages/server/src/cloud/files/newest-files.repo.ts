import type { Db } from '../../platform/db/database.ts';
import type { AssetRow } from '../../platform/db/schema/cloud.ts';
import { slowRead } from '../../platform/db/slow-read.ts';

const MAX_FILES = 1000;

/** The names of the files directly in one of a user's folders, newest first. */
export async function listNewestFiles(db: Db, userId: string, folder: AssetRow['folder']): Promise<string[]> {
  const newest = db
    .selectFrom('assets')
    .select('file_name')
    .where('user_id', '=', userId)
    .where('folder', '=', folder)
    .where('subfolder', '=', '')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(MAX_FILES);
  return (await slowRead(db, userId, newest)).map((row) => row.file_name);
}
