import { sql } from 'kysely';

import { StartError } from '../start-error.ts';
import { type Db, withTransaction } from './database.ts';

/** Exists, with the id of the backup, from before the first row is restored until all files are. No migration makes it. */
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
