import { sql } from 'kysely';

import type { Db } from '../../platform/db/database.ts';
import { prepareQuery } from '../../platform/db/prepared-query.ts';
import type { MadeFileRow, MadePartRow } from '../../platform/db/schema/cloud.ts';
import { type FilePlace, pathBelowFolder } from './file-place.ts';

type OwnPlace = FilePlace & { readonly userId: string };

const TABLES = ['assets', 'made_files'] as const;
const BATCH_SIZE = 100;

const selectMadeAt = prepareQuery((db, place: OwnPlace) =>
  db
    .selectFrom('made_files')
    .selectAll()
    .where('user_id', '=', place.userId)
    .where('folder', '=', place.folder)
    .where('subfolder', '=', place.subfolder)
    .where('file_name', '=', place.fileName),
);

export async function findMadeAt(
  db: Db,
  userId: string,
  { folder, subfolder, fileName }: FilePlace,
): Promise<MadeFileRow | undefined> {
  return (await selectMadeAt(db, { userId, folder, subfolder, fileName }))[0];
}

/** Returns false when its place is taken. */
export async function insertMade(tx: Db, row: MadeFileRow): Promise<boolean> {
  const inserted = await tx
    .insertInto('made_files')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning('file_name')
    .executeTakeFirst();
  return inserted !== undefined;
}

export async function deleteMade(
  tx: Db,
  userId: string,
  { folder, subfolder, fileName }: FilePlace,
): Promise<MadeFileRow | undefined> {
  return await tx
    .deleteFrom('made_files')
    .where('user_id', '=', userId)
    .where('folder', '=', folder)
    .where('subfolder', '=', subfolder)
    .where('file_name', '=', fileName)
    .returningAll()
    .executeTakeFirst();
}

/** The names of assets and made files in a folder that begin with `start`. */
export async function listNames(
  db: Db,
  { userId, folder, subfolder }: Omit<OwnPlace, 'fileName'>,
  start = '',
): Promise<string[]> {
  const names = await Promise.all(
    TABLES.map(
      async (table) =>
        await db
          .selectFrom(table)
          .select('file_name')
          .where('user_id', '=', userId)
          .where('folder', '=', folder)
          .where('subfolder', '=', subfolder)
          .$if(start !== '', (query) => query.where(startsWith('file_name', start)))
          .execute(),
    ),
  );
  return [...new Set(names.flat().map(({ file_name: name }) => name))];
}

/** Whether a part of its path is a file, or the path itself is a folder of other files. */
export async function isBlocked(db: Db, userId: string, place: FilePlace): Promise<boolean> {
  const path = pathBelowFolder(place);
  const parents = place.subfolder === '' ? [] : place.subfolder.split('/');
  for (const table of TABLES) {
    const found = await db
      .selectFrom(table)
      .select('file_name')
      .where('user_id', '=', userId)
      .where('folder', '=', place.folder)
      .where((eb) =>
        eb.or([
          eb('subfolder', '=', path),
          startsWith('subfolder', `${path}/`),
          ...parents.map((name, index) =>
            eb.and([eb('subfolder', '=', parents.slice(0, index).join('/')), eb('file_name', '=', name)]),
          ),
        ]),
      )
      .limit(1)
      .executeTakeFirst();
    if (found) return true;
  }
  return false;
}

/** Not `like`, which ignores case on SQLite. */
function startsWith(column: 'file_name' | 'subfolder', start: string) {
  return sql<boolean>`substr(${sql.ref(column)}, 1, length(cast(${start} as text))) = ${start}`;
}

/** Files made before a time by jobs that no longer run. */
export async function listAbandoned(db: Db, before: number): Promise<MadeFileRow[]> {
  return await db
    .selectFrom('made_files')
    .selectAll()
    .where('created_at', '<', before)
    .where('job_id', 'not in', runningJobs(db))
    .limit(BATCH_SIZE)
    .execute();
}

export async function listMadeOf(db: Db, userId: string): Promise<MadeFileRow[]> {
  return await db
    .selectFrom('made_files')
    .selectAll()
    .where('user_id', '=', userId)
    .limit(BATCH_SIZE)
    .execute();
}

/** Inserts a part and returns the row that it replaces, if any. */
export async function putPart(tx: Db, row: MadePartRow): Promise<MadePartRow | undefined> {
  const before = await tx
    .deleteFrom('made_parts')
    .where('name', '=', row.name)
    .where('start', '=', row.start)
    .returningAll()
    .executeTakeFirst();
  await tx.insertInto('made_parts').values(row).execute();
  return before;
}

export async function listParts(db: Db, name: string): Promise<MadePartRow[]> {
  return await db.selectFrom('made_parts').selectAll().where('name', '=', name).orderBy('start').execute();
}

export async function deleteParts(db: Db, name: string): Promise<MadePartRow[]> {
  return await db.deleteFrom('made_parts').where('name', '=', name).returningAll().execute();
}

/** The names of files whose parts arrived before a time from jobs that no longer run. */
export async function listAbandonedParts(db: Db, before: number): Promise<string[]> {
  const rows = await db
    .selectFrom('made_parts')
    .select('name')
    .distinct()
    .where('created_at', '<', before)
    .where('job_id', 'not in', runningJobs(db))
    .limit(BATCH_SIZE)
    .execute();
  return rows.map(({ name }) => name);
}

function runningJobs(db: Db) {
  return db.selectFrom('jobs').select('id').where('status', '=', 'in_progress');
}
