import type { Db } from '../../platform/db/database.ts';
import type { PublisherTokenRow } from '../../platform/db/schema/registry.ts';

export async function insertToken(db: Db, token: PublisherTokenRow): Promise<void> {
  await db.insertInto('publisher_tokens').values(token).execute();
}

export async function listTokens(db: Db, publisherId: string): Promise<PublisherTokenRow[]> {
  return await db
    .selectFrom('publisher_tokens')
    .selectAll()
    .where('publisher_id', '=', publisherId)
    .orderBy('id')
    .execute();
}

export async function findTokenByHash(db: Db, tokenHash: string): Promise<PublisherTokenRow | undefined> {
  return await db
    .selectFrom('publisher_tokens')
    .selectAll()
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst();
}

export async function deleteToken(db: Db, publisherId: string, id: string): Promise<boolean> {
  const result = await db
    .deleteFrom('publisher_tokens')
    .where('publisher_id', '=', publisherId)
    .where('id', '=', id)
    .executeTakeFirst();
  return result.numDeletedRows === 1n;
}

export async function deleteTokensOf(db: Db, publisherId: string): Promise<void> {
  await db.deleteFrom('publisher_tokens').where('publisher_id', '=', publisherId).execute();
}
