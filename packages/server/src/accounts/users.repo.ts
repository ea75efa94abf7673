import type { Role } from '@atelier/contracts';
import { type Selectable, sql } from 'kysely';

import { type Db, engineOf } from '../platform/db/database.ts';
import { likePattern } from '../platform/db/like-pattern.ts';
import { prepareQuery } from '../platform/db/prepared-query.ts';
import type { SubscriptionRow, UserRow } from '../platform/db/schema/accounts.ts';
import { slowRead } from '../platform/db/slow-read.ts';

/** E-mail addresses are compared without case and surrounding space. */
export function emailKey(email: string): string {
  return email.trim().toLowerCase();
}

export type AccountRow = Selectable<UserRow> &
  Pick<SubscriptionRow, 'tier' | 'period_end'> & {
    subscription_status: 'active' | 'inactive';
    balance: number;
  };

export async function insertUser(db: Db, user: UserRow): Promise<UserRow | undefined> {
  return await db
    .insertInto('users')
    .values(user)
    .onConflict((conflict) => conflict.column('email_key').doNothing())
    .returningAll()
    .executeTakeFirst();
}

export async function findUser(db: Db, id: string): Promise<UserRow | undefined> {
  return await db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function findUsers(db: Db, ids: readonly string[]): Promise<UserRow[]> {
  if (ids.length === 0) return [];
  return await db.selectFrom('users').selectAll().where('id', 'in', ids).execute();
}

export async function findUserByEmail(db: Db, email: string): Promise<UserRow | undefined> {
  return await db.selectFrom('users').selectAll().where('email_key', '=', emailKey(email)).executeTakeFirst();
}

/** Whether active or not. */
export async function findOldestAdmin(db: Db): Promise<UserRow | undefined> {
  return await db
    .selectFrom('users')
    .selectAll()
    .where('role', '=', 'admin')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
}

export async function hasUsers(db: Db): Promise<boolean> {
  return (await db.selectFrom('users').select('id').limit(1).execute()).length > 0;
}

/** Administrators share one turn. */
const READER = 'users';

export async function countUsers(db: Db, search?: string): Promise<number> {
  const count = db
    .selectFrom('users')
    .where(contains(search))
    .select((eb) => eb.fn.countAll<number>().as('count'));
  return (await slowRead(db, READER, count))[0]?.count ?? 0;
}

/** Fails while rows of other areas refer to the user. Rows of this area are deleted with it. False when there is no such user. */
export async function deleteUser(db: Db, id: string): Promise<boolean> {
  return (await db.deleteFrom('users').where('id', '=', id).returning('id').execute()).length === 1;
}

const accountById = prepareQuery((db, { id }: { id: string }) => accounts(db).where('users.id', '=', id));

export async function findAccount(db: Db, id: string): Promise<AccountRow | undefined> {
  return (await accountById(db, { id }))[0];
}

/** Oldest first, to the millisecond: ids are ordered by time. */
export async function listAccounts(
  db: Db,
  page: { search?: string | undefined; offset: number; limit: number },
): Promise<AccountRow[]> {
  const found = accounts(db)
    .where(contains(page.search))
    .orderBy('users.id')
    .offset(page.offset)
    .limit(page.limit);
  return await slowRead(db, READER, found);
}

export async function setRole(db: Db, id: string, role: Role): Promise<void> {
  await db.updateTable('users').set({ role }).where('id', '=', id).execute();
}

export async function setPasswordHash(db: Db, id: string, passwordHash: string, now: number): Promise<void> {
  await db
    .updateTable('users')
    .set({ password_hash: passwordHash, credentials_since: now })
    .where('id', '=', id)
    .execute();
}

export async function setBan(db: Db, id: string, reason: string | null): Promise<void> {
  await db
    .updateTable('users')
    .set({ status: reason === null ? 'active' : 'banned', ban_reason: reason })
    .where('id', '=', id)
    .execute();
}

/** Waits for a change of password that is in progress. */
export async function isPresentPassword(db: Db, id: string, passwordHash: string | null): Promise<boolean> {
  const query = db.selectFrom('users').select('password_hash').where('id', '=', id);
  const row = await (engineOf(db) === 'postgres' ? query.forShare() : query).executeTakeFirst();
  return row?.password_hash === passwordHash;
}

/** Locks the row until the transaction ends, so that limits on what a user has cannot be raced. */
export async function lockUser(db: Db, id: string): Promise<void> {
  await db
    .updateTable('users')
    .set((eb) => ({ role: eb.ref('role') }))
    .where('id', '=', id)
    .execute();
}

/** Locks the rows, so that two requests cannot each remove the last but one. */
export async function listActiveAdmins(db: Db): Promise<string[]> {
  const rows = await db
    .updateTable('users')
    .set((eb) => ({ role: eb.ref('role') }))
    .where('role', '=', 'admin')
    .where('status', '=', 'active')
    .returning('id')
    .execute();
  return rows.map((row) => row.id);
}

function contains(search = '') {
  const pattern = likePattern(search.trim().toLowerCase());
  return sql<boolean>`(users.email_key like ${pattern} escape '\\' or lower(users.name) like ${pattern} escape '\\')`;
}

function accounts(db: Db) {
  return db
    .selectFrom('users')
    .innerJoin('subscriptions', 'subscriptions.user_id', 'users.id')
    .innerJoin('credit_balances', 'credit_balances.user_id', 'users.id')
    .selectAll('users')
    .select([
      'subscriptions.tier',
      'subscriptions.period_end',
      'subscriptions.status as subscription_status',
      'credit_balances.balance',
    ]);
}
