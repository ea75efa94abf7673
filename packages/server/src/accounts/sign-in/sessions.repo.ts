import type { Db } from '../../platform/db/database.ts';
import type { SessionRow } from '../../platform/db/schema/accounts.ts';

export async function insertSession(db: Db, session: SessionRow): Promise<void> {
  await db.insertInto('sessions').values(session).execute();
}

/** Whether it was the first with this hash. */
export async function insertOnce(db: Db, session: SessionRow): Promise<boolean> {
  const row = await db
    .insertInto('sessions')
    .values(session)
    .onConflict((conflict) => conflict.column('token_hash').doNothing())
    .returning('token_hash')
    .executeTakeFirst();
  return row !== undefined;
}

export async function deleteSession(db: Db, tokenHash: string): Promise<string | undefined> {
  const row = await db
    .deleteFrom('sessions')
    .where('token_hash', '=', tokenHash)
    .returning('user_id')
    .executeTakeFirst();
  return row?.user_id;
}

/** Deletes one that has not expired, and says whose it was. */
export async function takeSession(db: Db, tokenHash: string, now: number): Promise<string | undefined> {
  const row = await db
    .deleteFrom('sessions')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .returning('user_id')
    .executeTakeFirst();
  return row?.user_id;
}

/** Ends it at that moment, unless it ends earlier anyway. */
export async function endSessionBy(db: Db, tokenHash: string, at: number): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ expires_at: at })
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', at)
    .execute();
}

export async function deleteSessionsOf(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('sessions').where('user_id', '=', userId).execute();
}

export async function deleteExpiredSessions(db: Db, now: number): Promise<void> {
  await db.deleteFrom('sessions').where('expires_at', '<=', now).execute();
}
