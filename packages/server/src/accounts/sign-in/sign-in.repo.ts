import type { Db } from '../../platform/db/database.ts';
import type { SignInAddressRow } from '../../platform/db/schema/accounts.ts';

export async function isKnownAddress(db: Db, hash: string): Promise<boolean> {
  const row = await db
    .selectFrom('sign_in_addresses')
    .select('hash')
    .where('hash', '=', hash)
    .executeTakeFirst();
  return row !== undefined;
}

/** Remembers it, and forgets all but the `max` that the user has used last. */
export async function rememberAddress(db: Db, address: SignInAddressRow, max: number): Promise<void> {
  await db
    .insertInto('sign_in_addresses')
    .values(address)
    .onConflict((conflict) => conflict.column('hash').doUpdateSet({ used_at: address.used_at }))
    .execute();
  await db
    .deleteFrom('sign_in_addresses')
    .where('user_id', '=', address.user_id)
    .where('hash', 'not in', (eb) =>
      eb
        .selectFrom('sign_in_addresses')
        .select('hash')
        .where('user_id', '=', address.user_id)
        .orderBy('used_at', 'desc')
        .limit(max),
    )
    .execute();
}

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
