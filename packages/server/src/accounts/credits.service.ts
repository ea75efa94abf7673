import type { CreditLedger } from '@atelier/contracts';

import { type Clock, toIso } from '../platform/clock.ts';
import { type Db, withTransaction } from '../platform/db/database.ts';
import { AppError } from '../platform/errors/app-error.ts';
import * as repo from './credits.repo.ts';

interface Booking {
  readonly userId: string;
  readonly amount: number;
  /** What the credits are for; the same reference is never booked twice. */
  readonly reference: string;
  readonly reason?: string | undefined;
}

export type Credits = ReturnType<typeof createCredits>;

/**
 * The ledger. Every function takes the caller's `db`, so that a task and its credits are one transaction.
 * See README.md for the invariants.
 */
export function createCredits(clock: Clock) {
  return {
    async grant(db: Db, { userId, amount, reference, reason }: Booking): Promise<number> {
      return await withTransaction(db, async (tx) => {
        const balance = await repo.changeBalance(tx, userId, amount);
        if (balance === undefined) {
          const present = (await repo.readBalance(tx, userId)) ?? 0;
          throw new AppError(
            'credits.limit',
            amount < 0
              ? `The account has ${present} credits, so at most ${present} can be taken away.`
              : `An account holds at most ${repo.HIGHEST_BALANCE.toLocaleString('en')} credits.`,
          );
        }
        await repo.insertEntry(tx, {
          user_id: userId,
          kind: amount < 0 ? 'correction' : 'grant',
          amount,
          balance_after: balance,
          reason: reason ?? null,
          reference,
          created_at: clock(),
        });
        return balance;
      });
    },

    /** Takes credits for work that is about to start. 402 when they do not suffice; repeating it changes nothing. */
    async reserve(db: Db, { userId, amount, reference, reason }: Booking): Promise<void> {
      await withTransaction(db, async (tx) => {
        const now = clock();
        const isNew = await repo.insertHold(tx, {
          reference,
          user_id: userId,
          amount,
          status: 'held',
          created_at: now,
          updated_at: now,
        });
        if (!isNew) return;
        const balance = await repo.changeBalance(tx, userId, -amount);
        if (balance === undefined) {
          throw new AppError(
            'credits.insufficient',
            `This costs ${amount} credits, more than the account has. Ask an administrator for credits.`,
          );
        }
        if (amount === 0) return;
        await repo.insertEntry(tx, {
          user_id: userId,
          kind: 'reserve',
          amount: -amount,
          balance_after: balance,
          reason: reason ?? null,
          reference,
          created_at: now,
        });
      });
    },

    /** The work ended well: the credits are spent. False when the hold had ended before. */
    async settle(db: Db, reference: string): Promise<boolean> {
      return await withTransaction(db, async (tx) => {
        const now = clock();
        const hold = await repo.endHold(tx, reference, 'settled', now);
        if (!hold) return false;
        if (hold.amount === 0) return true;
        // It takes nothing more: the entry tells that what was reserved is spent.
        await repo.insertEntry(tx, {
          user_id: hold.user_id,
          kind: 'settle',
          amount: 0,
          balance_after: (await repo.readBalance(tx, hold.user_id)) ?? 0,
          reason: null,
          reference,
          created_at: now,
        });
        return true;
      });
    },

    /** The work failed: the credits come back. False when the hold had ended before. */
    async giveBack(db: Db, reference: string, reason?: string): Promise<boolean> {
      return await withTransaction(db, async (tx) => {
        const now = clock();
        const hold = await repo.endHold(tx, reference, 'returned', now);
        if (!hold) return false;
        if (hold.amount === 0) return true;
        const balance = await repo.changeBalance(tx, hold.user_id, hold.amount);
        if (balance === undefined) throw new Error(`credits of ${reference} cannot be returned`);
        await repo.insertEntry(tx, {
          user_id: hold.user_id,
          kind: 'return',
          amount: hold.amount,
          balance_after: balance,
          reason: reason ?? null,
          reference,
          created_at: now,
        });
        return true;
      });
    },

    async ledger(
      db: Db,
      userId: string,
      page: { before?: number | undefined; limit: number },
    ): Promise<CreditLedger> {
      const balance = (await repo.readBalance(db, userId)) ?? 0;
      const rows = await repo.listEntries(db, userId, page);
      const last = rows.at(-1);
      return {
        balance,
        entries: rows.map((row) => ({
          id: row.seq,
          kind: row.kind,
          amount: row.amount,
          balance_after: row.balance_after,
          ...(row.reason === null ? {} : { reason: row.reason }),
          reference: row.reference,
          created_at: toIso(row.created_at),
        })),
        ...(last && rows.length === page.limit ? { next_before: last.seq } : {}),
      };
    },
  };
}
