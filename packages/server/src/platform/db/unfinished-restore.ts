import { sql } from 'kysely';

import { StartError } from '../start-error.ts';
import { type Db, withTransaction } from './database.ts';

/**
 * A table that is there while a restore is under way: from before the first row until all files are. No migration makes it. It has the id
 * of the backup.
 */
export const RESTORE_TABLE = 'unfinished_restore';

export async function beginRestore(db: Db, id: string): Promise<void> {
  await withTransaction(db, async (tx) => {
    await endRestore(tx);
    await tx.schema.createTable(RESTORE_TABLE).addColumn('id', 'text').execute();
    await sql`insert into ${sql.table(RESTORE_TABLE)} (id) values (${id})`.execute(tx);
  });
}

export async function endRestore(db: Db): Promise<void> {
  await db.schema.dropTable(RESTORE_TABLE).ifExists().execute();
}

export function unfinishedRestore(): StartError {
  return new StartError(
    'The restore of this installation did not finish. Run "npm run admin -- restore --from FOLDER" again with the same backup: it goes on where it was.',
  );
}
