import { OAuthError, OAuthTokens } from '@atelier/contracts';
import type { FastifyReply } from 'fastify';
import { type Static, Type } from 'typebox';

import { AppError, invalid } from '../platform/errors/app-error.ts';
import { createRouteDefiner } from '../platform/http/define-route.ts';
import type { App, Routes } from '../platform/http/route-config.ts';
import type { OAuth } from './oauth.service.ts';
import { renderPage } from './oauth-page.ts';
import { requireOwnPage } from './own-page.ts';
import type { Sessions } from './sessions.service.ts';
import type { SignIn } from './sign-in.service.ts';

interface Parts {
  readonly oauth: OAuth;
  readonly signIn: SignIn;
  readonly sessions: Pick<Sessions, 'find'>;
  readonly publicUrl: string | undefined;
}

const CLIENTS: Readonly<Record<string, string>> = { 'comfy-cli': 'Comfy CLI' };
const LOOPBACK = /^http:\/\/(?:127\.0\.0\.1|\[::1\])(?::\d{1,5})?\/callback$/;
const S256 = /^[\w-]{43}$/;

const AuthorizeQuery = Type.Partial(
  Type.Object({
    response_type: Type.String({ description: '`code`.' }),
    client_id: Type.String({ description: '`comfy-cli`.' }),
    redirect_uri: Type.String({
      maxLength: 200,
      description: '`/callback` of a port on the loopback address.',
    }),
    state: Type.String({ maxLength: 500, description: 'Required. Comes back unchanged at `redirect_uri`.' }),
    code_challenge: Type.String({
      maxLength: 200,
      description: 'Required. SHA-256 of the `code_verifier`, base64url.',
    }),
    code_challenge_method: Type.String({ description: '`S256`.' }),
    scope: Type.String({ description: 'Accepted and ignored: a token is good for everything.' }),
    resource: Type.String({ description: 'Accepted and ignored.' }),
  }),
);
const Field = Type.Optional(Type.String({ maxLength: 1000 }));
const Decision = Type.Object({ decision: Field, email: Field, password: Field });
const TokenForm = Type.Object({
  grant_type: Type.Optional(Type.String({ description: '`authorization_code` or `refresh_token`.' })),
  client_id: Field,
  code: Field,
  redirect_uri: Field,
  code_verifier: Field,
  refresh_token: Field,
});
const Page = Type.Unsafe<unknown>({
  description: 'A page to sign in on.',
  content: { 'text/html': { schema: { type: 'string' } } },
});
const Redirect = Type.Unsafe<unknown>({
  type: 'null',
  description: 'To `redirect_uri`, with `code` and `state`, or with `error`.',
});

/** OAuth 2 with PKCE for programs on people's own computers, such as `comfy cloud login`. */
export const oauthRoutes: Routes<Parts> = (parts) => async (app) => {
  await app.register(async (inner) => {
    inner.removeAllContentTypeParsers();
    inner.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string' },
      (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
    );
    addAuthorize(inner, parts);
    addToken(inner, parts);
  });
};

function addAuthorize(app: App, { oauth, signIn, sessions, publicUrl }: Parts): void {
  const route = createRouteDefiner(app, { tag: 'accounts' });
  route('GET', '/oauth/authorize', {
    operation: 'oauth.page',
    access: 'public',
    summary: 'The page on which people let a program use their account',
    description:
      'The start of the authorization code flow with PKCE, which `comfy cloud login` uses. An unknown `client_id` or a `redirect_uri` that is not on the loopback address gets 400; a missing or wrong `response_type`, `state` or `code_challenge` is sent to `redirect_uri` as `error`.',
    query: AuthorizeQuery.properties,
    response: { 200: Page, 302: Redirect },
    handle: async ({ query, request, reply }) => {
      const asked = readRequest(query);
      if (asked.problem !== undefined) return await goBack(reply, asked, { error: asked.problem });
      const user = await sessions.find(request.headers.cookie);
      return await sendPage(reply, asked, { email: user?.email });
    },
  });

  route('POST', '/oauth/authorize', {
    operation: 'oauth.decide',
    access: 'public',
    failures: [403],
    summary: 'Their decision',
    description:
      "The page's form sends this, and it must come from this server (`Origin`): otherwise 403. The code is good for two minutes and for one exchange at `POST /oauth/token`.",
    consumes: ['application/x-www-form-urlencoded'],
    query: AuthorizeQuery.properties,
    body: Decision,
    response: { 302: Redirect, 401: Page, 429: Page },
    handle: async ({ query, body, request, reply }) => {
      const asked = readRequest(query);
      requireOwnPage(request, publicUrl);
      if (asked.problem !== undefined) return await goBack(reply, asked, { error: asked.problem });
      const { decision, email = '', password = '' } = body;
      if (decision !== 'allow') return await goBack(reply, asked, { error: 'access_denied' });
      try {
        const user =
          email === ''
            ? await sessions.find(request.headers.cookie)
            : await signIn({ email, password, address: request.ip });
        if (!user) return await sendPage(reply.code(401), asked, { problem: 'Sign in to go on.' });
        return await goBack(reply, asked, { code: await oauth.issueCode(user, asked) });
      } catch (error) {
        if (!(error instanceof AppError) || (error.status !== 401 && error.status !== 429)) throw error;
        if (error.retryAfterSeconds !== undefined) reply.header('retry-after', error.retryAfterSeconds);
        reply.statusCode = error.status;
        return await sendPage(reply, asked, { problem: error.message });
      }
    },
  });
}

function addToken(app: App, { oauth }: Parts): void {
  const route = createRouteDefiner(app, { tag: 'accounts' });
  route('POST', '/oauth/token', {
    operation: 'oauth.token',
    access: 'public',
    failures: [403],
    summary: 'Exchange a code, or a refresh token, for tokens',
    description:
      'A code needs the `code_verifier` and the same `client_id` and `redirect_uri`. Each refresh answers with a new refresh token; the old one stays good for another minute, in case the answer is lost. A change of password ends both tokens.',
    consumes: ['application/x-www-form-urlencoded'],
    body: TokenForm,
    response: { 200: OAuthTokens, 400: OAuthError },
    handle: async ({ body, reply }) => {
      reply.header('cache-control', 'no-store');
      const { grant_type: grant, client_id: clientId = '', refresh_token: refreshToken = '' } = body;
      const { code = '', redirect_uri: redirectUri = '', code_verifier: verifier = '' } = body;
      const refuse = async (error: string, description: string) =>
        await reply.code(400).send({ error, error_description: description, message: description });
      if (!Object.hasOwn(CLIENTS, clientId))
        return await refuse('invalid_client', 'The client is not known.');
      if (grant !== 'authorization_code' && grant !== 'refresh_token') {
        return await refuse('unsupported_grant_type', 'grant_type is authorization_code or refresh_token.');
      }
      const issued =
        grant === 'refresh_token'
          ? await oauth.refresh(refreshToken)
          : await oauth.exchangeCode(code, { clientId, redirectUri, verifier });
      if (issued) return issued;
      return await refuse(
        'invalid_grant',
        'The code or refresh token is wrong, used or expired. Sign in again.',
      );
    },
  });
}

type Asked = ReturnType<typeof readRequest>;

/** Refuses what must not be redirected anywhere. `problem` is for the client. */
function readRequest(query: Static<typeof AuthorizeQuery>) {
  const { client_id: clientId = '', redirect_uri: redirectUri = '', state = '' } = query;
  const { code_challenge: challenge = '', code_challenge_method: method } = query;
  if (!Object.hasOwn(CLIENTS, clientId)) throw invalid('client_id names no program that is known here.');
  if (!LOOPBACK.test(redirectUri) || !URL.canParse(redirectUri)) {
    throw invalid('redirect_uri must be http://127.0.0.1:<port>/callback or http://[::1]:<port>/callback.');
  }
  const isWhole = state !== '' && method === 'S256' && S256.test(challenge);
  const problem =
    query.response_type !== 'code' ? 'unsupported_response_type' : isWhole ? undefined : 'invalid_request';
  return { clientId, redirectUri, challenge, state, problem };
}

async function goBack(
  reply: FastifyReply,
  { redirectUri, state }: Asked,
  answer: { readonly code: string } | { readonly error: string },
): Promise<FastifyReply> {
  const url = new URL(redirectUri);
  url.search = String(new URLSearchParams({ ...answer, state }));
  return await reply.header('cache-control', 'no-store').redirect(url.href, 302);
}

async function sendPage(
  reply: FastifyReply,
  { clientId, redirectUri }: Asked,
  shown: { readonly email?: string | undefined; readonly problem?: string },
): Promise<FastifyReply> {
  const page = renderPage({ clientName: CLIENTS[clientId] ?? clientId, email: undefined, ...shown });
  // Browsers hold the redirect that follows the form to `form-action` too.
  const policy = `default-src 'none'; style-src 'unsafe-inline'; form-action 'self' ${new URL(redirectUri).origin}; frame-ancestors 'none'; base-uri 'none'`;
  return await reply
    .type('text/html; charset=utf-8')
    .headers({
      'content-security-policy': policy,
      'cache-control': 'no-store',
      // Without a referrer browsers send no Origin with the form.
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    })
    .serializer(String)
    .send(page);
}
