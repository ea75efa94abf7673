import type { Db } from '../../platform/db/database.ts';
import type { SessionRow } from '../../platform/db/schema/accounts.ts';

export async function insertSession(db: Db, session: SessionRow): Promise<void> {
  await db.insertInto('sessions').values(session).execute();
}

/** False when there is one with this hash. */
export async function insertOnce(db: Db, session: SessionRow): Promise<boolean> {
  const row = await db
    .insertInto('sessions')
    .values(session)
    .onConflict((conflict) => conflict.column('token_hash').doNothing())
    .returning('token_hash')
    .executeTakeFirst();
  return row !== undefined;
}

/** The id of its user. With `now`, a session that has expired counts as none. */
export async function deleteSession(db: Db, tokenHash: string, now = 0): Promise<string | undefined> {
  const row = await db
    .deleteFrom('sessions')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .returning('user_id')
    .executeTakeFirst();
  return row?.user_id;
}

/** Ends it at that moment, unless it ends earlier. */
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
