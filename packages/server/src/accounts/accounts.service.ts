import {
  type Account,
  type AccountPage,
  type NewUser,
  type Role,
  type SetSubscription,
  type Subscription,
  type UserQuery,
} from '@atelier/contracts';

import { present } from '@atelier/contracts/present';

import { type Audit, userSubject } from '../platform/audit/audit.service.ts';
import { toIso } from '../platform/clock.ts';
import { type Db, withTransaction } from '../platform/db/database.ts';
import type { SubscriptionRow, UserRow } from '../platform/db/schema/accounts.ts';
import { AppError, invalid, notFound } from '../platform/errors/app-error.ts';
import { type Actor, requireAdmin } from '../platform/http/actor.ts';
import { newId } from '../platform/ids.ts';
import type { ServiceParts } from '../platform/service-parts.ts';
import { insertBalance } from './credits/credits.repo.ts';
import type { Credits } from './credits/credits.service.ts';
import { findSubscription, putSubscription } from './credits/subscriptions.repo.ts';
import { concurrentJobs, type Subscriptions } from './credits/subscriptions.service.ts';
import { hashPassword } from './sign-in/passwords.ts';
import { deleteSessionsOf } from './sign-in/sessions.repo.ts';
import * as users from './users.repo.ts';

/** What another area keeps for users. Each function can be called again after a failure. */
export interface UserData {
  /** Throws 409 while the user cannot be deleted. */
  assertDeletable?(userId: string): Promise<void>;
  /** Stops what runs for a banned user. */
  stop?(userId: string): Promise<void>;
  delete(userId: string, by: Actor): Promise<void>;
}

interface Parts extends ServiceParts {
  readonly audit: Pick<Audit, 'add'>;
  readonly credits: Credits;
  readonly subscriptions: Subscriptions;
  readonly onRevoked?: (userId: string) => void;
  /** Of the other areas, in the order of deletion. */
  readonly userData?: readonly UserData[];
}

interface Change {
  readonly actor: Actor;
  readonly userId: string;
  readonly action: string;
  /** Refused for the last active administrator. */
  readonly keepsAdmin?: boolean;
}

/** A request that began before the ban may still write for the user. */
const DELETE_ATTEMPTS = 3;

export interface NewAccount {
  readonly email: string;
  readonly name?: string | undefined;
  readonly passwordHash: string | null;
  readonly role?: Role;
}

export type AccountsService = ReturnType<typeof createAccountsService>;

export function createAccountsService(parts: Parts) {
  const { db, clock, audit, credits, subscriptions, onRevoked = () => undefined, userData = [] } = parts;

  /** 404 before 403, as everywhere. */
  const adminMayChange = async (actor: Actor, userId: string): Promise<UserRow> => {
    const user = await users.findUser(db, userId);
    if (!user) throw notFound('user', userId);
    requireAdmin(actor);
    return user;
  };

  /** Makes a change, and audits it with the details that `work` returns, in one transaction. */
  const change = async (
    { actor, userId, action, keepsAdmin = false }: Change,
    work: (tx: Db, user: UserRow) => Promise<Readonly<Record<string, unknown>> | undefined>,
  ): Promise<void> => {
    await adminMayChange(actor, userId);
    await withTransaction(db, async (tx) => {
      // Locked before the user's own row, so that two changes cannot wait for each other.
      if (keepsAdmin) await keepOneAdmin(tx, userId);
      await users.lockUser(tx, userId);
      const user = await users.findUser(tx, userId);
      if (!user) throw notFound('user', userId);
      const details = await work(tx, user);
      if (details) await audit.add(tx, actor, action, userSubject(userId), details);
    });
  };

  const account = async (userId: string): Promise<Account> => {
    const row = await users.findAccount(db, userId);
    if (!row) throw notFound('user', userId);
    return toAccount(row, clock());
  };

  /** A new account is on tier `free`, inactive, without credits. */
  const open = async (tx: Db, wanted: NewAccount): Promise<UserRow> => {
    const email = wanted.email.trim();
    const now = clock();
    const user = await users.insertUser(tx, {
      id: newId(),
      email,
      email_key: users.emailKey(email),
      name: wanted.name?.trim() || (email.split('@', 1)[0] ?? email),
      password_hash: wanted.passwordHash,
      role: wanted.role ?? 'user',
      status: 'active',
      ban_reason: null,
      credentials_since: 0,
      created_at: now,
    });
    if (!user) throw new AppError('account.email_taken', `There is already an account for ${email}.`);
    await putSubscription(tx, { user_id: user.id, tier: 'free', status: 'inactive', period_end: null });
    await insertBalance(tx, user.id);
    return user;
  };

  const ban = async (actor: Actor, userId: string, reason: string): Promise<void> => {
    await change({ actor, userId, action: 'user.ban', keepsAdmin: true }, async (tx, user) => {
      if (user.status === 'banned' && user.ban_reason === reason) return undefined;
      await users.setBan(tx, userId, reason);
      return { reason };
    });
    onRevoked(userId);
    await subscriptions.changed(userId);
    for (const data of userData) await data.stop?.(userId);
  };

  /** Ends every sign-in with the old password, including those in progress. */
  const replacePassword = async (tx: Db, userId: string, passwordHash: string): Promise<void> => {
    await users.lockUser(tx, userId);
    // One later, so that sign-ins within the same millisecond end too.
    await users.setPasswordHash(tx, userId, passwordHash, clock() + 1);
    await deleteSessionsOf(tx, userId);
  };

  return {
    account,

    open,

    replacePassword,

    async create(actor: Actor, { email, password, name }: NewUser): Promise<Account> {
      requireAdmin(actor);
      const passwordHash = await hashPassword(password);
      const user = await withTransaction(db, async (tx) => {
        const opened = await open(tx, { email, name, passwordHash });
        await audit.add(tx, actor, 'user.create', userSubject(opened.id), { role: opened.role });
        return opened;
      });
      return await account(user.id);
    },

    async read(actor: Actor, userId: string): Promise<Account> {
      await adminMayChange(actor, userId);
      return await account(userId);
    },

    async list(actor: Actor, { page, limit, search }: UserQuery): Promise<AccountPage> {
      requireAdmin(actor);
      const total = await users.countUsers(db, search);
      const rows = await users.listAccounts(db, { search, offset: (page - 1) * limit, limit });
      const now = clock();
      return {
        total,
        users: rows.map((row) => toAccount(row, now)),
        page,
        limit,
        totalPages: Math.ceil(total / limit),
      };
    },

    async setSubscription(actor: Actor, userId: string, wanted: SetSubscription): Promise<Subscription> {
      const periodEnd = wanted.period_end === undefined ? null : Date.parse(wanted.period_end);
      // The format admits leap seconds, which no clock here has.
      if (Number.isNaN(periodEnd)) throw invalid('period_end is not a moment in time.');
      await change({ actor, userId, action: 'user.subscription' }, async (tx) => {
        const before = await findSubscription(tx, userId);
        const { tier, status } = wanted;
        await putSubscription(tx, { user_id: userId, tier, status, period_end: periodEnd });
        const from = before && planOf(before);
        return { ...present({ from }), to: planOf({ tier, status, period_end: periodEnd }) };
      });
      await subscriptions.changed(userId);
      return (await account(userId)).subscription;
    },

    async changeCredits(
      actor: Actor,
      userId: string,
      { amount, reason }: { amount: number; reason?: string },
    ): Promise<number> {
      if (amount < 0 && !reason?.trim()) throw invalid('Give a reason for taking credits away.');
      const reference = `${amount < 0 ? 'correction' : 'grant'}:${newId()}`;
      let balance = 0;
      await change({ actor, userId, action: 'user.credits' }, async (tx) => {
        balance = await credits.grant(tx, { userId, amount, reason, reference });
        return { amount, balance, ...present({ reason }) };
      });
      return balance;
    },

    async setRole(actor: Actor, userId: string, role: Role): Promise<Account> {
      await change({ actor, userId, action: 'user.role', keepsAdmin: role === 'user' }, async (tx, user) => {
        if (user.role === role) return undefined;
        await users.setRole(tx, userId, role);
        return { from: user.role, to: role };
      });
      return await account(userId);
    },

    ban,

    /** Deletes the user and all their data. After a failure the user is banned, and this can be called again. */
    async delete(actor: Actor, userId: string): Promise<void> {
      await adminMayChange(actor, userId);
      for (const data of userData) await data.assertDeletable?.(userId);
      await ban(actor, userId, 'The account is being deleted.');
      for (let attempt = 1; ; attempt += 1) {
        for (const data of userData) await data.delete(userId, actor);
        try {
          await withTransaction(db, async (tx) => {
            // False when another request has deleted the user.
            if (await users.deleteUser(tx, userId))
              await audit.add(tx, actor, 'user.delete', userSubject(userId));
          });
          return;
        } catch (error) {
          if (attempt === DELETE_ATTEMPTS) throw error;
        }
      }
    },

    async unban(actor: Actor, userId: string): Promise<void> {
      await change({ actor, userId, action: 'user.unban' }, async (tx, { status }) => {
        if (status === 'active') return undefined;
        await users.setBan(tx, userId, null);
        return {};
      });
      await subscriptions.changed(userId);
    },

    async resetPassword(actor: Actor, userId: string, password: string): Promise<void> {
      await adminMayChange(actor, userId);
      const passwordHash = await hashPassword(password);
      await change({ actor, userId, action: 'user.password' }, async (tx) => {
        await replacePassword(tx, userId, passwordHash);
        return {};
      });
      onRevoked(userId);
    },

    /** The caller has shown the current password. Ends every session and token made before. */
    async changePassword({ userId }: Actor, password: string): Promise<void> {
      const passwordHash = await hashPassword(password);
      await withTransaction(db, async (tx) => await replacePassword(tx, userId, passwordHash));
      onRevoked(userId);
    },
  };
}

function planOf({ tier, status, period_end: end }: Omit<SubscriptionRow, 'user_id'>) {
  return { tier, status, ...present({ period_end: end === null ? undefined : toIso(end) }) };
}

async function keepOneAdmin(tx: Db, userId: string): Promise<void> {
  const admins = await users.listActiveAdmins(tx);
  if (admins.length === 1 && admins[0] === userId) {
    throw new AppError(
      'account.last_admin',
      'This is the last active administrator. Make another one first.',
    );
  }
}

function toAccount(row: users.AccountRow, now: number): Account {
  const isActive = row.subscription_status === 'active' && (row.period_end === null || row.period_end > now);
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    role: row.role,
    status: row.status,
    ...present({ ban_reason: row.ban_reason }),
    created_at: toIso(row.created_at),
    subscription: {
      tier: row.tier,
      status: isActive ? 'active' : 'inactive',
      ...(row.period_end !== null && { period_end: toIso(row.period_end) }),
      concurrent_jobs: concurrentJobs({ ...row, status: row.subscription_status }, now),
    },
    credits: row.balance,
  };
}
