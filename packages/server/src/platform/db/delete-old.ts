import type { Kysely } from 'kysely';

import { inRestedSlices } from '../in-slices.ts';
import type { Database, Db } from './database.ts';

export const DELETE_BATCH_SIZE = 500;

/** Deletes rows created before a time, in batches. `created_at` needs an index. */
export async function deleteOld(db: Db, table: keyof Database, before: number): Promise<void> {
  const rows = db as unknown as Kysely<Record<string, { created_at: number }>>;
  await inRestedSlices(async () => {
    const last = await rows
      .selectFrom(table)
      .select('created_at')
      .where('created_at', '<', before)
      .orderBy('created_at')
      .limit(1)
      .offset(DELETE_BATCH_SIZE - 1)
      .executeTakeFirst();
    await rows
      .deleteFrom(table)
      .where('created_at', '<=', last?.created_at ?? before - 1)
      .execute();
    return last !== undefined;
  });
}
