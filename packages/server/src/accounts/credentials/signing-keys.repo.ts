import type { Db } from '../../platform/db/database.ts';
import type { SigningKeyRow } from '../../platform/db/schema/accounts.ts';

export async function insertSigningKey(db: Db, key: SigningKeyRow): Promise<void> {
  await db.insertInto('signing_keys').values(key).execute();
}

/** Newest first. */
export async function listSigningKeys(db: Db): Promise<SigningKeyRow[]> {
  return await db
    .selectFrom('signing_keys')
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
}

export async function hasSigningKey(db: Db, id: string): Promise<boolean> {
  const row = await db.selectFrom('signing_keys').select('id').where('id', '=', id).executeTakeFirst();
  return row !== undefined;
}

export async function deleteSigningKeys(db: Db, ids: readonly string[]): Promise<void> {
  await db.deleteFrom('signing_keys').where('id', 'in', ids).execute();
}
