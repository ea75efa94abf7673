import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Clock } from '../platform/clock.ts';
import { AppError } from '../platform/errors/app-error.ts';
import type { Viewer } from './consent-page.ts';
import type { OutsideIssuer } from './outside-issuer.ts';
import type { Sessions } from './sessions.service.ts';
import type { SignIn } from './sign-in.service.ts';

interface Parts {
  readonly clock: Clock;
  readonly signIn: SignIn;
  readonly sessions: Pick<Sessions, 'find'>;
  readonly outsideIssuer: OutsideIssuer | undefined;
}

const Field = Type.Optional(Type.String({ maxLength: 1000 }));
/** What the form of a page sends on which people decide. */
export const Decision = Type.Object({
  decision: Field,
  email: Field,
  password: Field,
  token: Type.Optional(
    Type.String({
      maxLength: 16_000,
      description: 'Of the outside issuer, in place of e-mail and password.',
    }),
  ),
});

interface Sent {
  readonly email?: string | undefined;
  readonly password?: string | undefined;
  readonly token?: string | undefined;
}

/** Who decides, and since when credentials that follow from it are good. */
interface Decider {
  readonly id: string;
  readonly at: number;
}

export type Deciders = ReturnType<typeof createDeciders>;

/** The people on the pages that let programs in: by session cookie, by password, or by a token of the outside issuer. */
export function createDeciders({ clock, signIn, sessions, outsideIssuer }: Parts) {
  const byToken = async (token: string, issuer: OutsideIssuer): Promise<Decider> => {
    const at = clock();
    const user = issuer.issued(token) ? await issuer.verify(token) : undefined;
    if (!user)
      throw new AppError(
        'auth.invalid',
        'The token is not valid: it is wrong, expired or not meant for this server.',
      );
    if (user.status === 'banned') throw new AppError('auth.banned', 'This account is banned.');
    return { id: user.id, at };
  };

  return {
    /** Whom the page greets. */
    async viewer({ headers }: FastifyRequest): Promise<Viewer & { readonly userId: string | undefined }> {
      const user = await sessions.find(headers.cookie);
      return { userId: user?.id, email: user?.email, issuer: outsideIssuer?.host };
    },

    async decider(sent: Sent, { headers, ip }: FastifyRequest): Promise<Decider> {
      const { email = '', password = '', token = '' } = sent;
      if (email !== '') return await signIn({ email, password, address: ip });
      if (token !== '' && outsideIssuer) return await byToken(token, outsideIssuer);
      const user = await sessions.find(headers.cookie);
      if (!user) throw new AppError('auth.required', 'Sign in to go on.');
      return user;
    },
  };
}
