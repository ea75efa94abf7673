import type { Db } from '../../platform/db/database.ts';
import { prepareQuery } from '../../platform/db/prepared-query.ts';
import type { ApiKeyRow } from '../../platform/db/schema/accounts.ts';

export async function insertApiKey(db: Db, key: ApiKeyRow): Promise<void> {
  await db.insertInto('api_keys').values(key).execute();
}

const keysOfUser = prepareQuery((db, { userId }: { userId: string }) =>
  db.selectFrom('api_keys').selectAll().where('user_id', '=', userId).orderBy('id', 'desc'),
);

export async function listApiKeys(db: Db, userId: string): Promise<ApiKeyRow[]> {
  return await keysOfUser(db, { userId });
}

/** Whose key it was. */
export async function deleteApiKeyByHash(db: Db, secretHash: string): Promise<string | undefined> {
  const row = await db
    .deleteFrom('api_keys')
    .where('secret_hash', '=', secretHash)
    .returning('user_id')
    .executeTakeFirst();
  return row?.user_id;
}

export async function deleteApiKey(db: Db, userId: string, id: string): Promise<boolean> {
  const result = await db
    .deleteFrom('api_keys')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst();
  return result.numDeletedRows === 1n;
}
