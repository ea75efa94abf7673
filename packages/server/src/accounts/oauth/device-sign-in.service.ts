import { createHmac, randomInt } from 'node:crypto';
import { parseScopes } from '@atelier/contracts';

import { hashCredential } from '../../platform/credential-hash.ts';
import { withTransaction } from '../../platform/db/database.ts';
import { lockByName } from '../../platform/db/lock-by-name.ts';
import type { DeviceSignInRow } from '../../platform/db/schema/accounts.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { randomToken } from '../../platform/ids.ts';
import type { Secret } from '../../platform/secret.ts';
import type { ServiceParts } from '../../platform/service-parts.ts';
import { findActor } from '../actors.repo.ts';
import type { ApiKeysService } from '../credentials/api-keys.service.ts';
import { createFailureLimits } from '../sign-in/failure-limits.ts';
import { networkOf } from '../sign-in/network-of.ts';
import * as repo from './device-sign-ins.repo.ts';
import type { IssuedKey } from './oauth.service.ts';
import { type KeyRequest, keyNameOf, type OAuthProblem } from './oauth-clients.ts';

/** Without vowels there are no words, and without digits nothing that looks like a letter. */
const ALPHABET = 'BCDFGHJKLMNPQRSTVWXZ';
const CODE_LENGTH = 8;
/** With the most open sign-ins, one code in two million is in use. */
const MAX_CODE_ATTEMPTS = 3;
export const LIFETIME_MS = 10 * 60_000;
export const INTERVAL_MS = 5000;
const MAX_INTERVAL_MS = 60_000;
/** Timers and networks are not exact. */
const TOLERANCE_MS = 1000;
/** For this long, a late program gets `expired_token` instead of `invalid_grant`. */
export const REMEMBERED_MS = 10 * 60_000;
/** A proxy may send any text. */
const MAX_ADDRESS_LENGTH = 64;
const MAX_OPEN_PER_ADDRESS = 20;
const MAX_OPEN = 10_000;
const MAX_WRONG_CODES_PER_ACCOUNT = 10;
const MAX_WRONG_CODES_PER_ADDRESS = 30;

interface Parts extends ServiceParts {
  readonly codeKey: Secret<Uint8Array>;
  readonly apiKeys: Pick<ApiKeysService, 'create' | 'assertRoom'>;
}

export interface PendingSignIn extends KeyRequest {
  readonly userCode: string;
  readonly clientId: string;
  readonly address: string;
}

export type DeviceSignIn = ReturnType<typeof createDeviceSignIn>;

/** RFC 8628: a program without a browser shows a code, and a person allows it somewhere else. */
export function createDeviceSignIn({ db, clock, codeKey, apiKeys }: Parts) {
  const limits = createFailureLimits({ db, clock }, 'Too many wrong codes. Wait and try again.');
  const userCodeHash = (userCode: string): string =>
    createHmac('sha256', codeKey.reveal()).update(lettersOf(userCode)).digest('base64url');

  const issueKey = async (row: DeviceSignInRow): Promise<IssuedKey | OAuthProblem> => {
    const { device_code_hash: hash, client_id: clientId, user_id: userId, allowed_at: at } = row;
    return await withTransaction(db, async (tx) => {
      const user = userId === null ? undefined : await findActor(tx, userId);
      if (!user || (at ?? 0) < user.credentials_since) return 'invalid_grant';
      if (user.status === 'banned') throw new AppError('auth.banned', 'This account is banned.');
      if (!(await repo.takeAllowed(tx, hash))) return 'invalid_grant';
      const name = keyNameOf(clientId, row.device_name ?? undefined);
      const wanted = { name, scopes: parseScopes(row.scopes) };
      const { api_key } = await apiKeys.create({ userId: user.id }, wanted, tx);
      return { access_token: api_key.plaintext_key, token_type: 'Bearer', scope: row.scopes };
    });
  };

  return {
    async begin(asked: Omit<PendingSignIn, 'userCode'>): Promise<{ deviceCode: string; userCode: string }> {
      const { clientId, deviceName, scopes } = asked;
      const address = asked.address.slice(0, MAX_ADDRESS_LENGTH);
      const network = networkOf(address);
      const now = clock();
      const deviceCode = randomToken(32);
      return await withTransaction(db, async (tx) => {
        await lockByName(tx, 'device sign-ins');
        if (
          (await repo.countOpen(tx, now, network)) >= MAX_OPEN_PER_ADDRESS ||
          (await repo.countOpen(tx, now)) >= MAX_OPEN
        ) {
          throw new AppError('auth.too_many_sign_ins', 'Too many devices wait to sign in. Try again later.', {
            retryAfterSeconds: 60,
          });
        }
        for (let attempt = 1; attempt <= MAX_CODE_ATTEMPTS; attempt += 1) {
          const userCode = newUserCode();
          const isNew = await repo.insertDeviceSignIn(tx, {
            device_code_hash: hashCredential(deviceCode),
            user_code_hash: userCodeHash(userCode),
            client_id: clientId,
            device_name: deviceName ?? null,
            scopes: scopes.join(' '),
            address,
            network,
            status: 'pending',
            user_id: null,
            allowed_at: null,
            polled_at: 0,
            interval_ms: INTERVAL_MS,
            expires_at: now + LIFETIME_MS,
          });
          if (isNew) return { deviceCode, userCode };
        }
        throw new Error('No unused code could be generated.');
      });
    },

    /** `undefined` for a code that is wrong, used or expired. Those count as failures of the caller. */
    async find(
      userCode: string,
      { address, userId }: { readonly address: string; readonly userId: string | undefined },
    ): Promise<PendingSignIn | undefined> {
      const bounds = [
        { scope: `code:${networkOf(address)}`, max: MAX_WRONG_CODES_PER_ADDRESS },
        ...(userId === undefined ? [] : [{ scope: `code:${userId}`, max: MAX_WRONG_CODES_PER_ACCOUNT }]),
      ];
      await limits.refuseWhenLimited(bounds);
      const row = await repo.findPendingByUserCode(db, userCodeHash(userCode), clock());
      if (!row) {
        const scopes = bounds.map(({ scope }) => scope);
        await limits.noteFailure(bounds, scopes);
        return undefined;
      }
      await limits.refuseWhenLimited(bounds);
      return {
        userCode: shown(lettersOf(userCode)),
        clientId: row.client_id,
        deviceName: row.device_name ?? undefined,
        scopes: parseScopes(row.scopes),
        address: row.address,
      };
    },

    /** False when it was decided before or has expired. `at`: when the credentials of the user were checked. */
    async allow(userCode: string, user: { readonly id: string; readonly at: number }): Promise<boolean> {
      await apiKeys.assertRoom(user.id);
      const decision = { status: 'allowed', user_id: user.id, allowed_at: user.at } as const;
      return await repo.decide(db, userCodeHash(userCode), decision, clock());
    },

    async deny(userCode: string): Promise<boolean> {
      const decision = { status: 'denied', user_id: null, allowed_at: null } as const;
      return await repo.decide(db, userCodeHash(userCode), decision, clock());
    },

    /** Returns the key once, after a person has allowed it. */
    async poll(deviceCode: string, clientId: string): Promise<IssuedKey | OAuthProblem> {
      const now = clock();
      const row = await repo.findByDeviceCode(db, hashCredential(deviceCode));
      if (row?.client_id !== clientId) return 'invalid_grant';
      if (row.expires_at <= now) return 'expired_token';
      if (row.status === 'denied') return 'access_denied';
      if (row.status === 'allowed') return await issueKey(row);
      const isEarly = now < row.polled_at + row.interval_ms - TOLERANCE_MS;
      if (isEarly && row.interval_ms >= MAX_INTERVAL_MS) return 'slow_down';
      const interval_ms = row.interval_ms + (isEarly ? INTERVAL_MS : 0);
      const isNoted = await repo.notePoll(db, row, { polled_at: now, interval_ms });
      return isEarly || !isNoted ? 'slow_down' : 'authorization_pending';
    },
  };
}

function newUserCode(): string {
  const letters = Array.from({ length: CODE_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]);
  return shown(letters.join(''));
}

function shown(letters: string): string {
  return `${letters.slice(0, CODE_LENGTH / 2)}-${letters.slice(CODE_LENGTH / 2)}`;
}

/** People type it with or without case, dash and spaces. */
function lettersOf(userCode: string): string {
  return userCode.toUpperCase().replaceAll(/[^A-Z]/g, '');
}
