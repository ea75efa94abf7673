import type { Db } from '../platform/db/database.ts';
import type { UserSettingsRow } from '../platform/db/schema/host.ts';

export async function findSettings(db: Db, userId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('user_settings')
    .select('settings')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row?.settings;
}

export async function putSettings(db: Db, row: UserSettingsRow): Promise<void> {
  const { user_id: _key, ...changes } = row;
  await db
    .insertInto('user_settings')
    .values(row)
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(changes))
    .execute();
}
