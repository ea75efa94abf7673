import type { AccessToken } from '@atelier/contracts';
import { errors, type JWTVerifyGetKey, jwtVerify, SignJWT } from 'jose';

import type { Clock } from '../../platform/clock.ts';
import type { UserRow } from '../../platform/db/schema/accounts.ts';
import { SIGNING_ALGORITHM, type SigningKeys } from './signing-keys.ts';

/** The product instead of its address, so that tokens stay valid when the server moves. */
export const OWN_ISSUER = 'atelier';
const OWN_AUDIENCE = 'atelier';

interface Parts {
  readonly keys: SigningKeys;
  readonly clock: Clock;
  readonly tokenSeconds: number;
}

/** `at`: when the password was checked. */
type User = Pick<UserRow, 'id' | 'email' | 'name'> & { readonly at: number };

export type Tokens = ReturnType<typeof createTokens>;

interface Verified {
  readonly userId: string;
  readonly issuedAt: number;
  readonly kid: string;
  readonly expiresAt: number;
}

/** Checking a signature takes 170 µs, remembering the outcome for as long as the token lives takes one. */
const MAX_CACHED_TOKENS = 10_000;

export function createTokens({ keys, clock, tokenSeconds }: Parts) {
  const verified = new Map<string, Verified>();

  const remember = (token: string, claims: Verified): void => {
    verified.set(token, claims);
    if (verified.size > MAX_CACHED_TOKENS) verified.delete(verified.keys().next().value ?? '');
  };

  const findKey: JWTVerifyGetKey = async ({ kid }) => {
    const key = kid === undefined ? undefined : await keys.find(kid);
    if (!key) throw new errors.JWKSNoMatchingKey();
    return key;
  };

  return {
    async issue({ id, email, name, at }: User): Promise<AccessToken> {
      const { privateKey, id: kid } = keys.current();
      // To the millisecond, to distinguish tokens just before and after a change of password.
      const now = at / 1000;
      const token = await new SignJWT({ email, name })
        .setProtectedHeader({ alg: SIGNING_ALGORITHM, kid, typ: 'JWT' })
        .setIssuer(OWN_ISSUER)
        .setAudience(OWN_AUDIENCE)
        .setSubject(id)
        .setIssuedAt(now)
        .setExpirationTime(Math.floor(now) + tokenSeconds)
        .sign(privateKey);
      return { access_token: token, token_type: 'Bearer', expires_in: tokenSeconds };
    },

    async verify(token: string): Promise<Verified | undefined> {
      const known = verified.get(token);
      if (known) {
        if (known.expiresAt > clock() && keys.isKnown(known.kid)) return known;
        verified.delete(token);
        return undefined;
      }
      try {
        const { payload, protectedHeader } = await jwtVerify(token, findKey, {
          algorithms: [SIGNING_ALGORITHM],
          issuer: OWN_ISSUER,
          audience: OWN_AUDIENCE,
          requiredClaims: ['sub', 'iat', 'exp'],
          currentDate: new Date(clock()),
        });
        const { sub = '', iat = 0, exp = 0 } = payload;
        const claims = {
          userId: sub,
          issuedAt: Math.round(iat * 1000),
          expiresAt: exp * 1000,
          kid: protectedHeader.kid ?? '',
        };
        remember(token, claims);
        return claims;
      } catch (error) {
        if (error instanceof errors.JOSEError) return undefined;
        throw error;
      }
    },
  };
}
