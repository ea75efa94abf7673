import { AccessToken, Jwks, SignIn, SignInMethods } from '@atelier/contracts';
import { Type } from 'typebox';

import { createRouteDefiner, done } from '../../platform/http/define-route.ts';
import type { Routes } from '../../platform/http/route-config.ts';
import type { SigningKeys } from '../credentials/signing-keys.ts';
import type { Tokens } from '../credentials/tokens.service.ts';
import type { Sessions } from './sessions.service.ts';
import type { SignIn as CheckSignIn } from './sign-in.service.ts';

interface Parts {
  readonly signIn: CheckSignIn;
  readonly tokens: Tokens;
  readonly sessions: Sessions;
  readonly keys: SigningKeys;
  /** Of the outside issuer, where people in a browser can sign in there. */
  readonly outsideName: string | undefined;
}

export const authRoutes: Routes<Parts> =
  ({ signIn, tokens, sessions, keys, outsideName }) =>
  async (app) => {
    const route = createRouteDefiner(app, { tag: 'accounts' });
    route('POST', '/auth/token', {
      operation: 'auth.token',
      access: 'public',
      failures: [401, 403, 429],
      summary: 'Sign in for a bearer token',
      description:
        'Send the token as `Authorization: Bearer …` until `expires_in` seconds have passed or the password changes. Too many wrong passwords within 15 minutes get 429 with `Retry-After`, even for the right one.',
      body: SignIn,
      response: { 200: AccessToken },
      handle: async ({ body, request }) => await tokens.issue(await signIn({ ...body, address: request.ip })),
    });

    route('POST', '/auth/session', {
      operation: 'auth.session.begin',
      access: 'public',
      failures: [401, 403, 429],
      summary: 'Sign in for a session cookie',
      description:
        'For pages of this server: the cookie is `HttpOnly` and `SameSite=Strict`, and changes made with it need the `Origin` of this server. Too many wrong passwords within 15 minutes get 429 with `Retry-After`, even for the right one.',
      body: SignIn,
      response: done('Signed in; the cookie is set.'),
      handle: async ({ body, request, reply }) => {
        const user = await signIn({ ...body, address: request.ip });
        reply.header('set-cookie', await sessions.begin(user));
      },
    });

    route('DELETE', '/auth/session', {
      operation: 'auth.session.end',
      summary: 'End the session of the cookie',
      description: 'Removes the cookie too. Other sessions, bearer tokens and API keys stay good.',
      response: done('Signed out.'),
      handle: async ({ request, reply }) => {
        reply.header('set-cookie', await sessions.end(request.headers.cookie));
      },
    });

    route('GET', '/auth/methods', {
      operation: 'auth.methods',
      access: 'public',
      summary: 'The ways to sign in here',
      description:
        'For sign-in pages: `password` is `POST /auth/session`, `outside` is a link to `GET /auth/outside`, or null.',
      response: { 200: SignInMethods },
      handle: async () => ({
        password: true as const,
        outside: outsideName === undefined ? null : { name: outsideName },
      }),
    });

    route('GET', '/auth/link', {
      operation: 'auth.link',
      access: 'public',
      hide: true,
      query: { token: Type.String({ maxLength: 200 }) },
      response: {},
      handle: async ({ query, reply }) => {
        const cookie = await sessions.useLink(query.token);
        if (cookie === undefined) return await reply.redirect('/console/sign-in?error=auth.sign_in_ended');
        return await reply
          .header('set-cookie', cookie)
          .header('referrer-policy', 'no-referrer')
          .redirect('/console/');
      },
    });

    route('GET', '/.well-known/jwks.json', {
      operation: 'auth.jwks',
      access: 'public',
      summary: 'The public keys that verify bearer tokens',
      description:
        'Ed25519 keys, newest first. An old key stays here until the last token that it signed has expired. The answer may be cached for five minutes.',
      response: { 200: Jwks },
      handle: async ({ reply }) => {
        reply.header('cache-control', 'public, max-age=300');
        return { keys: keys.published() };
      },
    });
  };
