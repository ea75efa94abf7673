import { createHmac } from 'node:crypto';

import { AppError } from '../../platform/errors/app-error.ts';
import type { Secret } from '../../platform/secret.ts';
import type { ServiceParts } from '../../platform/service-parts.ts';
import { emailKey, findUserByEmail, isPresentPassword } from '../users.repo.ts';
import { createFailureLimits } from './failure-limits.ts';
import { networkOf } from './network-of.ts';
import { isPassword } from './passwords.ts';
import { isKnownAddress, rememberAddress } from './sign-in.repo.ts';

const MAX_FAILURES_PER_ACCOUNT = 10;
const MAX_FAILURES_PER_ADDRESS = 30;
/** More would give more guesses to a botnet that has some of them. */
const KNOWN_ADDRESSES_PER_USER = 10;

interface Credentials {
  readonly email: string;
  readonly password: string;
  readonly address: string;
  /** The request has a valid credential of this account, so failures of others do not limit it. */
  readonly isSignedIn?: boolean;
}

export type SignIn = ReturnType<typeof createSignIn>;

export function createSignIn({ db, clock, addressKey }: ServiceParts & { addressKey: Secret<Uint8Array> }) {
  const { refuseWhenLimited, noteFailure } = createFailureLimits(
    { db, clock },
    'Too many failed sign-ins. Wait and try again.',
  );

  return async ({ email, password, address, isSignedIn = false }: Credentials) => {
    const network = networkOf(address);
    const account = `account:${emailKey(email)}`;
    const here = `${account} at ${network}`;
    const hash = createHmac('sha256', addressKey.reveal()).update(here).digest('base64url');
    const byAddress = { scope: `address:${network}`, max: MAX_FAILURES_PER_ADDRESS };
    // Guesses from unknown addresses count together. Known addresses count separately, so that strangers cannot lock the owner out.
    const own = isSignedIn ? `owner:${emailKey(email)}` : (await isKnownAddress(db, hash)) ? here : account;
    const limits = [{ scope: own, max: MAX_FAILURES_PER_ACCOUNT }, byAddress];
    const scopes = [...(isSignedIn ? [own] : [account, here]), byAddress.scope];
    await refuseWhenLimited(limits);
    // The password is checked as of this moment: credentials that follow count from here.
    const at = clock();
    const user = await findUserByEmail(db, email);
    const isRight =
      (await isPassword(password, user?.password_hash ?? null)) &&
      user !== undefined &&
      // A change that was in progress when the row was read would otherwise count as older than this sign-in.
      (await isPresentPassword(db, user.id, user.password_hash));
    if (!isRight) {
      await noteFailure(limits, scopes);
      throw new AppError('auth.wrong_password', 'The e-mail address or the password is not right.');
    }
    await refuseWhenLimited(limits);
    if (user.status === 'banned') throw new AppError('auth.banned', 'This account is banned.');
    await rememberAddress(db, { hash, user_id: user.id, used_at: at }, KNOWN_ADDRESSES_PER_USER);
    return { ...user, at: Math.max(at, user.credentials_since) };
  };
}
