import type { Db } from '../../platform/db/database.ts';
import { prepareQuery } from '../../platform/db/prepared-query.ts';
import type { CreditEntryRow, CreditHoldRow } from '../../platform/db/schema/accounts.ts';
import { sourcesOf } from '../../platform/transitions.ts';
import { HOLD_TRANSITIONS } from './credits.state.ts';

/** More would be a mistake. Far below the largest exact integer. */
export const MAX_BALANCE = 1_000_000_000_000;

export async function insertBalance(db: Db, userId: string): Promise<void> {
  await db.insertInto('credit_balances').values({ user_id: userId, balance: 0 }).execute();
}

export async function readBalance(db: Db, userId: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('credit_balances')
    .select('balance')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row?.balance;
}

const balanceChange = prepareQuery((db, { userId, amount }: { userId: string; amount: number }) =>
  db
    .updateTable('credit_balances')
    .set((eb) => ({ balance: eb('balance', '+', amount) }))
    .where('user_id', '=', userId)
    .where((eb) => eb.between(eb('balance', '+', amount), 0, MAX_BALANCE))
    .returning('balance'),
);

/** The new balance, or `undefined` when it would leave the allowed range: the guard is in the write itself. */
export async function changeBalance(db: Db, userId: string, amount: number): Promise<number | undefined> {
  return (await balanceChange(db, { userId, amount }))[0]?.balance;
}

export async function insertEntry(db: Db, entry: Omit<CreditEntryRow, 'seq'>): Promise<void> {
  await db.insertInto('credit_entries').values(entry).execute();
}

const holdInsertion = prepareQuery((db, hold: CreditHoldRow) =>
  db
    .insertInto('credit_holds')
    .values({
      reference: hold.reference,
      user_id: hold.user_id,
      amount: hold.amount,
      status: hold.status,
      created_at: hold.created_at,
      updated_at: hold.updated_at,
    })
    .onConflict((conflict) => conflict.column('reference').doNothing())
    .returning('reference'),
);

/** False when the reference holds or has held credits. */
export async function insertHold(db: Db, hold: CreditHoldRow): Promise<boolean> {
  return (await holdInsertion(db, hold)).length === 1;
}

/** The hold; `undefined` when there is none or it has ended before. */
export async function endHold(db: Db, reference: string, status: 'settled' | 'returned', now: number) {
  return await db
    .updateTable('credit_holds')
    .set({ status, updated_at: now })
    .where('reference', '=', reference)
    .where('status', 'in', sourcesOf(HOLD_TRANSITIONS, status))
    .returningAll()
    .executeTakeFirst();
}

/** Newest first. */
export async function listEntries(
  db: Db,
  userId: string,
  page: { before?: number | undefined; limit: number },
): Promise<(Omit<CreditEntryRow, 'seq'> & { seq: number })[]> {
  let query = db.selectFrom('credit_entries').selectAll().where('user_id', '=', userId);
  if (page.before !== undefined) query = query.where('seq', '<', page.before);
  return await query.orderBy('seq', 'desc').limit(page.limit).execute();
}
