import { present } from '@atelier/contracts/present';

import { type Clock, toIso } from '../../platform/clock.ts';
import { type Db, withTransaction } from '../../platform/db/database.ts';
import type { CreditEntryRow } from '../../platform/db/schema/accounts.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import * as repo from './credits.repo.ts';

interface Booking {
  readonly userId: string;
  readonly amount: number;
  /** What the credits are for. A reference is never booked twice. */
  readonly reference: string;
  readonly reason?: string | undefined;
}

export type Credits = ReturnType<typeof createCredits>;

/**
 * The ledger. Every function takes the caller's `db`, so that a task and its credits are one transaction.
 * See README.md for the invariants.
 */
export function createCredits(clock: Clock) {
  const note = async (
    tx: Db,
    kind: CreditEntryRow['kind'],
    { userId, amount, reference, reason }: Booking,
    balance: number,
  ): Promise<void> =>
    await repo.insertEntry(tx, {
      user_id: userId,
      kind,
      amount,
      balance_after: balance,
      reason: reason ?? null,
      reference,
      created_at: clock(),
    });

  return {
    async grant(db: Db, booking: Booking): Promise<number> {
      const { userId, amount } = booking;
      return await withTransaction(db, async (tx) => {
        const balance = await repo.changeBalance(tx, userId, amount);
        if (balance === undefined) {
          const left = (await repo.readBalance(tx, userId)) ?? 0;
          throw new AppError(
            'credits.limit',
            amount < 0
              ? `The account has ${left} credits, so at most ${left} can be taken away.`
              : `An account holds at most ${repo.MAX_BALANCE.toLocaleString('en')} credits.`,
          );
        }
        await note(tx, amount < 0 ? 'correction' : 'grant', booking, balance);
        return balance;
      });
    },

    /** Takes credits for work that is about to start. 402 when there are too few. Repeating it changes nothing. */
    async reserve(db: Db, booking: Booking): Promise<void> {
      const { userId, amount, reference } = booking;
      await withTransaction(db, async (tx) => {
        const at = { created_at: clock(), updated_at: clock() };
        const hold = { reference, user_id: userId, amount, status: 'held' as const, ...at };
        if (!(await repo.insertHold(tx, hold))) return;
        const balance = await repo.changeBalance(tx, userId, -amount);
        if (balance === undefined) {
          throw new AppError(
            'credits.insufficient',
            `This costs ${amount} credits, more than the account has. Ask an administrator for credits.`,
          );
        }
        if (amount > 0) await note(tx, 'reserve', { ...booking, amount: -amount }, balance);
      });
    },

    /** The work succeeded: the credits are spent. False when the hold has ended before. */
    async settle(db: Db, reference: string): Promise<boolean> {
      return await withTransaction(db, async (tx) => {
        const hold = await repo.endHold(tx, reference, 'settled', clock());
        if (!hold) return false;
        if (hold.amount === 0) return true;
        // The credits left the balance when they were reserved.
        const balance = (await repo.readBalance(tx, hold.user_id)) ?? 0;
        await note(tx, 'settle', { userId: hold.user_id, amount: 0, reference }, balance);
        return true;
      });
    },

    /** The work failed: the credits return. False when the hold has ended before. */
    async giveBack(db: Db, reference: string, reason?: string): Promise<boolean> {
      return await withTransaction(db, async (tx) => {
        const hold = await repo.endHold(tx, reference, 'returned', clock());
        if (!hold) return false;
        const { user_id: userId, amount } = hold;
        if (amount === 0) return true;
        const balance = await repo.changeBalance(tx, userId, amount);
        if (balance === undefined) throw new Error(`credits of ${reference} cannot be returned`);
        await note(tx, 'return', { userId, amount, reference, reason }, balance);
        return true;
      });
    },

    async ledger(db: Db, userId: string, page: { before?: number | undefined; limit: number }) {
      const balance = (await repo.readBalance(db, userId)) ?? 0;
      const rows = await repo.listEntries(db, userId, page);
      const last = rows.at(-1);
      return {
        balance,
        entries: rows.map(({ seq, reason, user_id: _owner, ...row }) => ({
          ...row,
          id: seq,
          ...present({ reason }),
          created_at: toIso(row.created_at),
        })),
        ...(last && rows.length === page.limit && { next_before: last.seq }),
      };
    },
  };
}
