import type { FastifyReply } from 'fastify';
import { type Static, Type } from 'typebox';
import { invalid } from '../../platform/errors/app-error.ts';
import { createRouteDefiner } from '../../platform/http/define-route.ts';
import type { Routes } from '../../platform/http/route-config.ts';
import { requireOwnPage } from '../sign-in/own-page.ts';
import { Page, type PageContent, sendPage, shownProblem } from '../sign-in/sign-in-page.ts';
import { consentPage } from './consent-page.ts';
import { type ConsentUsers, Decision } from './consent-users.ts';
import type { OAuth } from './oauth.service.ts';
import { findClient, readKeyRequest } from './oauth-clients.ts';

interface Parts {
  readonly oauth: OAuth;
  readonly consentUsers: ConsentUsers;
  readonly publicUrl: string | undefined;
}

const LOOPBACK = /^http:\/\/(?:127\.0\.0\.1|\[::1\])(?::\d{1,5})?\/callback$/;
const S256 = /^[\w-]{43}$/;

const AuthorizeQuery = Type.Partial(
  Type.Object({
    response_type: Type.String({ description: '`code`.' }),
    client_id: Type.String({ description: '`atelier-cli` or `comfy-cli`.' }),
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
    scope: Type.String({
      description:
        'For `atelier-cli` the scopes of its key, with spaces between them; absent, all but `admin`. Ignored for `comfy-cli`, whose tokens are good for everything.',
    }),
    device_name: Type.String({
      description:
        'For `atelier-cli`: the machine it runs on. One line of at most 64 characters. Becomes part of the name of the key.',
    }),
    resource: Type.String({ description: 'Accepted and ignored.' }),
  }),
);
const Redirect = Type.Unsafe<unknown>({
  type: 'null',
  description: 'To `redirect_uri`, with `code` and `state`, or with `error`.',
});

/** OAuth 2 with PKCE for programs on people's own computers, such as `comfy cloud login`. */
export const oauthRoutes: Routes<Parts> =
  ({ oauth, consentUsers, publicUrl }) =>
  async (app) => {
    const route = createRouteDefiner(app, { tag: 'accounts' });
    route('GET', '/oauth/authorize', {
      operation: 'oauth.page',
      access: 'public',
      summary: 'The page on which people let a program use their account',
      description:
        'The start of the authorization code flow with PKCE, for a program on the computer that the browser runs on. An unknown `client_id` or a `redirect_uri` that is not on the loopback address gets 400; a missing or wrong `response_type`, `state`, `code_challenge`, `scope` or `device_name` is sent to `redirect_uri` as `error`.',
      query: AuthorizeQuery.properties,
      response: { 200: Page, 302: Redirect, 403: Page },
      handle: async ({ query, request, reply }) => {
        const asked = readRequest(query);
        if (asked.problem !== undefined) return await goBack(reply, asked, { error: asked.problem });
        try {
          return await showPage(reply, asked, consentPage(asked, await consentUsers.viewer(request)));
        } catch (error) {
          return await sendPage(reply, refusedPage(shownProblem(reply, error)));
        }
      },
    });

    route('POST', '/oauth/authorize', {
      operation: 'oauth.decide',
      access: 'public',
      summary: 'Their decision',
      description:
        "The page's form sends this, and it must come from this server (`Origin`): otherwise 403. The code is good for two minutes and for one exchange at `POST /oauth/token`.",
      consumes: ['application/x-www-form-urlencoded'],
      query: AuthorizeQuery.properties,
      body: Decision,
      response: { 302: Redirect, 401: Page, 403: Page, 409: Page, 429: Page },
      handle: async ({ query, body, request, reply }) => {
        const asked = readRequest(query);
        let pageWith = refusedPage;
        try {
          requireOwnPage(request, publicUrl);
          if (asked.problem !== undefined) return await goBack(reply, asked, { error: asked.problem });
          if (body.decision !== 'allow') return await goBack(reply, asked, { error: 'access_denied' });
          const viewer = { ...(await consentUsers.viewer(request)), typed: body.email };
          pageWith = (problem) => consentPage(asked, viewer, problem);
          const user = await consentUsers.requireUser(body, request);
          return await goBack(reply, asked, { code: await oauth.issueCode(user, asked, asked.key) });
        } catch (error) {
          return await showPage(reply, asked, pageWith(shownProblem(reply, error)));
        }
      },
    });
  };

type Asked = ReturnType<typeof readRequest>;

/** Throws for requests that must not be redirected. `problem` is sent to the client. */
function readRequest(query: Static<typeof AuthorizeQuery>) {
  const { client_id: clientId = '', redirect_uri: redirectUri = '', state = '' } = query;
  const { code_challenge: challenge = '', code_challenge_method: method } = query;
  const client = findClient(clientId);
  if (!client) throw invalid('client_id names no program that is known here.');
  if (!LOOPBACK.test(redirectUri) || !URL.canParse(redirectUri)) {
    throw invalid('redirect_uri must be http://127.0.0.1:<port>/callback or http://[::1]:<port>/callback.');
  }
  const isWhole = state !== '' && method === 'S256' && S256.test(challenge);
  const wanted = client.issues === 'key' ? readKeyRequest(query) : undefined;
  const key = wanted && 'scopes' in wanted ? wanted : undefined;
  const wrong = wanted && 'problem' in wanted ? wanted.problem : undefined;
  const problem =
    query.response_type !== 'code' ? 'unsupported_response_type' : isWhole ? wrong : 'invalid_request';
  const shown = { scopes: key?.scopes, deviceName: key?.deviceName, place: 'This computer' };
  return { clientId, redirectUri, challenge, state, problem, key, ...shown };
}

function refusedPage(problem: string): PageContent {
  return {
    title: 'Not signed in',
    problem,
    body: '<p>Nothing was allowed. Go back to the program and start again.</p>',
  };
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

async function showPage(reply: FastifyReply, { redirectUri }: Asked, page: PageContent) {
  return await sendPage(reply, page, [new URL(redirectUri).origin]);
}
