import { AccessToken, Jwks, SignIn } from '@atelier/contracts';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';

import type { Routes } from '../platform/http/route-config.ts';
import type { Sessions } from './sessions.service.ts';
import type { SignIn as CheckSignIn } from './sign-in.service.ts';
import type { SigningKeys } from './signing-keys.ts';
import type { Tokens } from './tokens.service.ts';

interface Parts {
  readonly signIn: CheckSignIn;
  readonly tokens: Tokens;
  readonly sessions: Sessions;
  readonly keys: SigningKeys;
}

export const authRoutes: Routes<Parts> =
  ({ signIn, tokens, sessions, keys }) =>
  async (app) => {
    const attempt = ({ body, ip }: FastifyRequest<{ Body: { email: string; password: string } }>) => ({
      ...body,
      address: ip,
    });

    app.post(
      '/auth/token',
      {
        config: { operation: 'auth.token', access: 'public', failures: [401, 403, 429] },
        schema: {
          summary: 'Sign in for a bearer token',
          description:
            'Send the token as `Authorization: Bearer …` until `expires_in` seconds have passed or the password changes. Too many wrong passwords within 15 minutes get 429 with `Retry-After`, even for the right one.',
          tags: ['accounts'],
          body: SignIn,
          response: { 200: AccessToken },
        },
      },
      async (request) => await tokens.issue(await signIn(attempt(request))),
    );

    app.post(
      '/auth/session',
      {
        config: { operation: 'auth.session.begin', access: 'public', failures: [401, 403, 429] },
        schema: {
          summary: 'Sign in for a session cookie',
          description:
            'For pages of this server: the cookie is `HttpOnly` and `SameSite=Strict`, and changes made with it need the `Origin` of this server. Too many wrong passwords within 15 minutes get 429 with `Retry-After`, even for the right one.',
          tags: ['accounts'],
          body: SignIn,
          response: { 204: Type.Null({ description: 'Signed in; the cookie is set.' }) },
        },
      },
      async (request, reply) => {
        const user = await signIn(attempt(request));
        reply.header('set-cookie', await sessions.begin(user));
        return await reply.code(204).send(null);
      },
    );

    app.delete(
      '/auth/session',
      {
        config: { operation: 'auth.session.end', access: 'user', session: true },
        schema: {
          summary: 'End the session of the cookie',
          description: 'Removes the cookie too. Other sessions, bearer tokens and API keys stay good.',
          tags: ['accounts'],
          response: { 204: Type.Null({ description: 'Signed out.' }) },
        },
      },
      async (request, reply) => {
        reply.header('set-cookie', await sessions.end(request.headers.cookie));
        return await reply.code(204).send(null);
      },
    );

    app.get(
      '/.well-known/jwks.json',
      {
        config: { operation: 'auth.jwks', access: 'public' },
        schema: {
          summary: 'The public keys that verify bearer tokens',
          description:
            'Ed25519 keys, newest first. An old key stays here until the last token that it signed has expired. The answer may be cached for five minutes.',
          tags: ['accounts'],
          response: { 200: Jwks },
        },
      },
      async (_request, reply) => {
        reply.header('cache-control', 'public, max-age=300');
        return { keys: keys.published() };
      },
    );
  };
