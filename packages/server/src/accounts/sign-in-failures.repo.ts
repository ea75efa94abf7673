import type { Db } from '../platform/db/database.ts';

export async function insertFailures(db: Db, scopes: readonly string[], at: number): Promise<void> {
  await db
    .insertInto('sign_in_failures')
    .values(scopes.map((scope) => ({ scope, at })))
    .execute();
}

/** When the `rank`-th newest failure since `since` happened; `undefined` when there are fewer. */
export async function nthNewestFailure(
  db: Db,
  scope: string,
  { rank, since }: { rank: number; since: number },
): Promise<number | undefined> {
  const row = await db
    .selectFrom('sign_in_failures')
    .select('at')
    .where('scope', '=', scope)
    .where('at', '>', since)
    .orderBy('at', 'desc')
    .offset(rank - 1)
    .limit(1)
    .executeTakeFirst();
  return row?.at;
}

export async function deleteFailuresBefore(db: Db, time: number): Promise<void> {
  await db.deleteFrom('sign_in_failures').where('at', '<=', time).execute();
}
