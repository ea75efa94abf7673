import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import type { Clock } from '../../platform/clock.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import type { OutsideIssuer } from '../sign-in/outside-issuer.ts';
import type { Sessions } from '../sign-in/sessions.service.ts';
import type { SignIn } from '../sign-in/sign-in.service.ts';
import type { Viewer } from './consent-page.ts';

interface Parts {
  readonly clock: Clock;
  readonly signIn: SignIn;
  readonly sessions: Pick<Sessions, 'find'>;
  readonly outsideIssuer: OutsideIssuer | undefined;
  /** Name of the outside issuer, if people can sign in there in a browser. */
  readonly outsideName: string | undefined;
}

const Field = Type.Optional(Type.String({ maxLength: 1000 }));
/** The form of a consent page. */
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

export type ConsentUsers = ReturnType<typeof createConsentUsers>;

/** Users of the consent pages, who sign in by session cookie, by password, or by a token of the outside issuer. */
export function createConsentUsers({ clock, signIn, sessions, outsideIssuer, outsideName }: Parts) {
  const byToken = async (token: string) => {
    const at = clock();
    const user = outsideIssuer?.issued(token) ? await outsideIssuer.verify(token) : undefined;
    if (user?.status === 'banned') throw new AppError('auth.banned', 'This account is banned.');
    return user && { ...user, at };
  };

  /** The user who is signed in already: here, or at a proxy in front that adds the issuer's token. */
  const find = async ({ cookie, authorization = '' }: IncomingHttpHeaders) => {
    const token = /^bearer +(\S+) *$/i.exec(authorization)?.[1];
    return (await sessions.find(cookie)) ?? (token === undefined ? undefined : await byToken(token));
  };

  return {
    async viewer({
      headers,
      url,
    }: FastifyRequest): Promise<Viewer & { readonly userId: string | undefined }> {
      const user = await find(headers);
      const outside =
        outsideName === undefined
          ? undefined
          : { name: outsideName, href: `/auth/outside?${new URLSearchParams({ return_to: url })}` };
      return { userId: user?.id, email: user?.email, issuer: outsideIssuer?.host, outside };
    },

    /** The user who decides. `at`: credentials that follow from the decision count from here. */
    async requireUser(sent: Static<typeof Decision>, { headers, ip }: FastifyRequest) {
      const { email = '', password = '', token = '' } = sent;
      if (email !== '') return await signIn({ email, password, address: ip });
      const user = await (token === '' ? find(headers) : byToken(token));
      if (user) return user;
      throw token === ''
        ? new AppError('auth.required', 'Sign in to go on.')
        : new AppError('auth.invalid', 'The token is wrong, expired or not meant for this server.');
    },
  };
}
