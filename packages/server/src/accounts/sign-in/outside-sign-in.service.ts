import type { Clock } from '../../platform/clock.ts';
import { hashCredential } from '../../platform/credential-hash.ts';
import type { Db } from '../../platform/db/database.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { randomToken } from '../../platform/ids.ts';
import { openKey, sealKey } from '../../platform/sealed-key.ts';
import type { Secret } from '../../platform/secret.ts';
import { createOutsideClient, type Expected, type OutsideClientParts } from './outside-client.ts';
import type { OutsideIssuer } from './outside-issuer.ts';
import { insertOnce } from './sessions.repo.ts';

/** People look for their second factor meanwhile. */
export const SIGN_IN_MS = 10 * 60_000;
const PURPOSE = 'outside sign-in';

interface Parts extends OutsideClientParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly outsideIssuer: OutsideIssuer;
  /** Seals what the browser keeps. */
  readonly ticketKey: Secret<Uint8Array>;
}

/** One sign-in under way. Nothing is stored for it here, so strangers who begin many take no room. */
interface Ticket extends Expected {
  readonly returnTo: string;
  readonly expiresAt: number;
}

export type OutsideSignIn = ReturnType<typeof createOutsideSignIn>;

/** Signing in to a session through the outside issuer. */
export function createOutsideSignIn({ db, clock, outsideIssuer, ticketKey, ...client }: Parts) {
  const issuer = createOutsideClient(client);
  const seal = (ticket: Ticket): string =>
    Buffer.from(sealKey(ticketKey, PURPOSE, Buffer.from(JSON.stringify(ticket)))).toString('base64url');
  const open = (sealed: string): Ticket | undefined => {
    try {
      const text = openKey(ticketKey, PURPOSE, Buffer.from(sealed, 'base64url'));
      return JSON.parse(Buffer.from(text).toString()) as Ticket;
    } catch {
      return undefined;
    }
  };

  return {
    /** Where the browser goes, and what it keeps until it comes back. */
    async begin(redirectUri: string, returnTo: string): Promise<{ location: string; ticket: string }> {
      const expected = {
        state: randomToken(32),
        nonce: randomToken(32),
        verifier: randomToken(32),
        redirectUri,
      };
      const location = await issuer.pageFor(expected);
      return { location, ticket: seal({ ...expected, returnTo, expiresAt: clock() + SIGN_IN_MS }) };
    },

    /** Where a browser with this ticket wanted to go. */
    returnPath: (ticket: string): string | undefined => open(ticket)?.returnTo,

    /** Who has signed in. A ticket and its state are good for one session. */
    async complete(
      sealed: string,
      answer: URLSearchParams,
    ): Promise<{ id: string; at: number; returnTo: string }> {
      const at = clock();
      const ticket = open(sealed);
      if (!ticket || ticket.expiresAt <= at) throw ended();
      const token = await issuer.exchange(answer, ticket);
      const user = await outsideIssuer.verify(token, client.clientId);
      if (!user) {
        throw new AppError('auth.invalid', 'The ID token of the issuer is not signed as it must be.');
      }
      if (user.status === 'banned') throw new AppError('auth.banned', 'This account is banned.');
      const isFirst = await insertOnce(db, {
        token_hash: `state:${hashCredential(ticket.state)}`,
        user_id: user.id,
        created_at: at,
        expires_at: ticket.expiresAt,
      });
      if (!isFirst) throw ended();
      return { id: user.id, at, returnTo: ticket.returnTo };
    },
  };
}

function ended(): AppError {
  return new AppError(
    'auth.sign_in_ended',
    'This sign-in has ended, took too long or began in another browser. Begin again.',
  );
}
