import { createHmac } from 'node:crypto';
import ipaddr from 'ipaddr.js';

import { withTransaction } from '../platform/db/database.ts';
import { lockByName } from '../platform/db/lock-by-name.ts';
import type { UserRow } from '../platform/db/schema/accounts.ts';
import { AppError } from '../platform/errors/app-error.ts';
import type { Secret } from '../platform/secret.ts';
import type { ServiceParts } from '../platform/service-parts.ts';
import { isPassword } from './passwords.ts';
import { insertFailures, isKnownAddress, nthNewestFailure, rememberAddress } from './sign-in.repo.ts';
import { emailKey, findUserByEmail, isPresentPassword } from './users.repo.ts';

export const FAILURE_WINDOW_MS = 15 * 60_000;
const FAILURES_PER_ACCOUNT = 10;
const FAILURES_PER_ADDRESS = 30;
/** More would give a botnet that has found some of them more guesses. */
const KNOWN_ADDRESSES_PER_USER = 10;

interface Parts extends ServiceParts {
  readonly addressKey: Secret<Uint8Array>;
}

interface Credentials {
  readonly email: string;
  readonly password: string;
  readonly address: string;
  /** The request shows a good credential of this account, so failures of others do not limit it. */
  readonly isSignedIn?: boolean;
}

/** Who signed in, and since when the credentials that follow are good. */
interface SignedIn extends UserRow {
  readonly at: number;
}

export type SignIn = ReturnType<typeof createSignIn>;

export function createSignIn({ db, clock, addressKey }: Parts) {
  const refuseWhenLimited = async (limits: readonly Limit[], on = db): Promise<void> => {
    const now = clock();
    for (const { scope, max } of limits) {
      const at = await nthNewestFailure(on, scope, { rank: max, since: now - FAILURE_WINDOW_MS });
      if (at === undefined) continue;
      const retryAfterSeconds = Math.max(1, Math.ceil((at + FAILURE_WINDOW_MS - now) / 1000));
      throw new AppError('auth.too_many_failures', 'Too many failed sign-ins. Wait and try again.', {
        retryAfterSeconds,
      });
    }
  };

  /** Counted one after the other, so that of a flood of guesses exactly as many learn something as may. */
  const noteFailure = async (limits: readonly Limit[], scopes: readonly string[]): Promise<void> => {
    await withTransaction(db, async (tx) => {
      for (const scope of scopes) await lockByName(tx, scope);
      await refuseWhenLimited(limits, tx);
      await insertFailures(tx, scopes, clock());
    });
  };

  return async ({ email, password, address, isSignedIn = false }: Credentials): Promise<SignedIn> => {
    const network = networkOf(address);
    const account = `account:${emailKey(email)}`;
    const here = `${account} at ${network}`;
    const hash = createHmac('sha256', addressKey.reveal()).update(here).digest('base64url');
    const byAddress = { scope: `address:${network}`, max: FAILURES_PER_ADDRESS };
    // Guesses from unknown addresses count together. Known ones count for themselves, so that others cannot shut the owner out.
    const own = isSignedIn ? `owner:${emailKey(email)}` : (await isKnownAddress(db, hash)) ? here : account;
    const limits = [{ scope: own, max: FAILURES_PER_ACCOUNT }, byAddress];
    const scopes = [...(isSignedIn ? [own] : [account, here]), byAddress.scope];
    await refuseWhenLimited(limits);
    // The password that is checked is the one of this moment: credentials made from it count from here.
    const at = clock();
    const user = await findUserByEmail(db, email);
    const isRight =
      (await isPassword(password, user?.password_hash ?? null)) &&
      user !== undefined &&
      // A change that had begun when the row was read would otherwise count as older than what is made here.
      (await isPresentPassword(db, user.id, user.password_hash));
    if (!isRight) {
      await noteFailure(limits, scopes);
      throw new AppError('auth.wrong_password', 'The e-mail address or the password is not right.');
    }
    // Again, because a flood of guesses passes the first check together before the first of them has failed.
    await refuseWhenLimited(limits);
    if (user.status === 'banned') throw new AppError('auth.banned', 'This account is banned.');
    await rememberAddress(db, { hash, user_id: user.id, used_at: at }, KNOWN_ADDRESSES_PER_USER);
    return { ...user, at: Math.max(at, user.credentials_since) };
  };
}

interface Limit {
  readonly scope: string;
  readonly max: number;
}

/** One household or host has a whole /64 of IPv6 addresses, so they count as one. */
function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return `${parsed.toByteArray().slice(0, 8).join('.')}/64`;
}
