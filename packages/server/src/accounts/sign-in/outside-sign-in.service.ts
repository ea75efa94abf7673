import { hashCredential } from '../../platform/credential-hash.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { randomToken } from '../../platform/ids.ts';
import { openKey, sealKey } from '../../platform/sealed-key.ts';
import type { Secret } from '../../platform/secret.ts';
import type { ServiceParts } from '../../platform/service-parts.ts';
import { createOutsideClient, type Expected, type OutsideClientParts } from './outside-client.ts';
import type { OutsideIssuer } from './outside-issuer.ts';
import { insertOnce } from './sessions.repo.ts';

/** Long enough to find a second factor. */
export const SIGN_IN_MS = 10 * 60_000;
const PURPOSE = 'outside sign-in';

interface Parts extends ServiceParts, OutsideClientParts {
  readonly outsideIssuer: OutsideIssuer;
  /** Seals the ticket. */
  readonly ticketKey: Secret<Uint8Array>;
}

/** A sign-in in progress, kept by the browser. The server stores nothing, so strangers cannot fill it by beginning many. */
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
    /** Where the browser goes, and the ticket that it keeps until it returns. */
    async begin(redirectUri: string, returnTo: string): Promise<{ location: string; ticket: string }> {
      const [state, nonce, verifier] = [randomToken(32), randomToken(32), randomToken(32)];
      const expected = { state, nonce, verifier, redirectUri };
      const location = await issuer.pageFor(expected);
      return { location, ticket: seal({ ...expected, returnTo, expiresAt: clock() + SIGN_IN_MS }) };
    },

    /** Where a browser with this ticket wanted to go. */
    returnPath: (ticket: string): string | undefined => open(ticket)?.returnTo,

    /** The user who has signed in. A ticket and its state are valid for one session. */
    async complete(sealed: string, answer: URLSearchParams) {
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
