import { jwtVerify, SignJWT } from 'jose';

import type { Clock } from '../../platform/clock.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import type { Actor } from '../../platform/http/actor.ts';
import type { Secret } from '../../platform/secret.ts';

/** Distinguishes it from an API key and a bearer token. */
export const OPERATOR_PREFIX = 'operator_';
const ALGORITHM = 'HS256';
const AUDIENCE = 'atelier-operators';
/** A command makes one for each call. */
const LIFE_SECONDS = 60;

interface Parts {
  /** Whoever can read the database knows it, which is the proof. */
  readonly key: Secret<Uint8Array>;
  readonly clock: Clock;
}

export type OperatorTokens = ReturnType<typeof createOperatorTokens>;

/** Credentials of commands on the machine of an installation, which act as an administrator who is not a user. */
export function createOperatorTokens({ key, clock }: Parts) {
  return {
    /** `name`: the user of that machine, for the audit. */
    async issue(name: string): Promise<string> {
      const now = Math.floor(clock() / 1000);
      const token = await new SignJWT()
        .setProtectedHeader({ alg: ALGORITHM })
        .setAudience(AUDIENCE)
        .setSubject(name)
        .setIssuedAt(now)
        .setExpirationTime(now + LIFE_SECONDS)
        .sign(key.reveal());
      return `${OPERATOR_PREFIX}${token}`;
    },

    async verify(token: string): Promise<Actor> {
      const name = await jwtVerify(token.slice(OPERATOR_PREFIX.length), key.reveal(), {
        algorithms: [ALGORITHM],
        audience: AUDIENCE,
        requiredClaims: ['sub', 'exp'],
        currentDate: new Date(clock()),
      }).then(
        ({ payload }) => payload.sub ?? '',
        () => undefined,
      );
      if (name === undefined)
        throw new AppError(
          'auth.invalid',
          'The credential of the operator is not valid: it is wrong, expired or for another installation.',
        );
      return { userId: `operator:${name}`, email: '', name, role: 'admin', isOperator: true };
    },
  };
}
