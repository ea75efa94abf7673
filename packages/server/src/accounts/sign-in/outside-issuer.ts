import { isObject } from '@atelier/contracts/is-object';
import { createRemoteJWKSet, customFetch, decodeJwt, errors, type JWTPayload, jwtVerify } from 'jose';

import { type Db, withTransaction } from '../../platform/db/database.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import type { Outbound } from '../../platform/net/outbound.ts';
import { OutboundError } from '../../platform/net/outbound-error.ts';
import { parseJsonOrUndefined } from '../../platform/parse-json.ts';
import type { AccountsService } from '../accounts.service.ts';
import { type ActorRow, findActorByIdentity, insertIdentity } from '../actors.repo.ts';
import { findUserByEmail } from '../users.repo.ts';

/** Public-key algorithms only: with a shared secret, whoever holds it could make tokens. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];
const MAX_JWKS_BYTES = 1024 * 1024;
const JWKS_TIMEOUT_MS = 5000;
const MAX_CLAIM_LENGTH = 254;

export interface OutsideIssuerParts {
  readonly db: Db;
  readonly accounts: AccountsService;
  /** Allowed to reach the issuer, whose address the operator chose. */
  readonly outbound: Outbound;
  readonly issuer: string;
  readonly audience: string;
  readonly jwksUrl: string;
}

export type OutsideIssuer = ReturnType<typeof createOutsideIssuer>;

export function createOutsideIssuer(parts: OutsideIssuerParts) {
  const { db, accounts, outbound, issuer, audience, jwksUrl } = parts;
  const keys = createRemoteJWKSet(new URL(jwksUrl), {
    timeoutDuration: JWKS_TIMEOUT_MS,
    [customFetch]: async (url, { signal }) => {
      const answer = await outbound.request(url, {
        protocols: ['https:', 'http:'],
        maxBytes: MAX_JWKS_BYTES,
        timeoutMs: JWKS_TIMEOUT_MS,
        signal,
      });
      if (answer.status !== 200 || !isKeySet(answer.body)) {
        throw new OutboundError('protocol', `${new URL(url).host} does not answer with a key set`);
      }
      return new Response(new Uint8Array(answer.body), { status: answer.status });
    },
  });

  const claimsOf = async (token: string, expected: string): Promise<JWTPayload | undefined> => {
    try {
      const checks = { algorithms: ALGORITHMS, issuer, audience: expected, requiredClaims: ['sub', 'exp'] };
      return (await jwtVerify(token, keys, checks)).payload;
    } catch (error) {
      if (!(error instanceof OutboundError || error instanceof errors.JWKSTimeout)) return undefined;
      throw new AppError(
        'auth.issuer_unreachable',
        'The issuer of this token cannot be asked for its keys now.',
        { retryAfterSeconds: 10, cause: error },
      );
    }
  };

  /** The first sign-in creates an account, or joins the one with the same e-mail address if the issuer has verified it. */
  const createOrLinkAccount = async (subject: string, payload: JWTPayload) => {
    const { email, name, email_verified: isVerified } = payload;
    if (!isText(email) || !/^[^\s@]+@[^\s@]+$/.test(email)) {
      throw new AppError('auth.invalid', 'The token has no "email" claim, which a first sign-in needs.');
    }
    const makeAccount = async (tx: Db): Promise<void> => {
      // A concurrent request may have created it.
      if (await findActorByIdentity(tx, issuer, subject)) return;
      const existing = await findUserByEmail(tx, email);
      if (existing && isVerified !== true) {
        throw new AppError(
          'auth.forbidden',
          'An account with this e-mail exists, and the issuer does not vouch for it ("email_verified").',
        );
      }
      const user =
        existing ??
        (await accounts.open(tx, { email, name: isText(name) ? name : undefined, passwordHash: null }));
      await insertIdentity(tx, { issuer, subject, user_id: user.id });
    };
    try {
      await withTransaction(db, makeAccount);
    } catch (error) {
      // A concurrent request may have created the account in the meantime. Otherwise the refusal stands.
      if (!(error instanceof AppError) || !(await findActorByIdentity(db, issuer, subject))) throw error;
    }
    return await findActorByIdentity(db, issuer, subject);
  };

  return {
    /** For people. */
    host: new URL(issuer).host,

    issued(token: string): boolean {
      try {
        return decodeJwt(token).iss === issuer;
      } catch {
        return false;
      }
    },

    /** The account of the token's subject, created at the first sign-in; `undefined` for an invalid token. */
    async verify(token: string, expected = audience): Promise<ActorRow | undefined> {
      const payload = await claimsOf(token, expected);
      const subject = payload?.sub;
      if (payload === undefined || !isText(subject)) return undefined;
      const known = await findActorByIdentity(db, issuer, subject);
      return known ?? (await createOrLinkAccount(subject, payload));
    },
  };
}

/** Claims are foreign text: bounded, and without NUL, which PostgreSQL cannot store. */
function isText(claim: unknown): claim is string {
  return (
    typeof claim === 'string' && claim !== '' && claim.length <= MAX_CLAIM_LENGTH && !claim.includes('\0')
  );
}

function isKeySet(body: Buffer): boolean {
  const parsed = parseJsonOrUndefined(body.toString());
  return isObject(parsed) && Array.isArray(parsed.keys);
}
