import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';

import { AppError, invalid, notFound } from '../../platform/errors/app-error.ts';
import { createRouteDefiner } from '../../platform/http/define-route.ts';
import type { Routes } from '../../platform/http/route-config.ts';
import { type OutsideSignIn, SIGN_IN_MS } from './outside-sign-in.service.ts';
import { ownUrl } from './own-page.ts';
import { ownPath } from './return-path.ts';
import type { Sessions } from './sessions.service.ts';
import { escapeHtml, Page, sendPage } from './sign-in-page.ts';

interface Parts {
  readonly outsideSignIn: OutsideSignIn | undefined;
  readonly sessions: Pick<Sessions, 'begin'>;
  readonly publicUrl: string | undefined;
}

const COOKIE = 'atelier_outside';
const PATH = '/auth/outside';
const SIGN_IN_PAGE = '/console/sign-in';
const HOME = '/console/';

const Redirect = (description: string) => Type.Unsafe<unknown>({ type: 'null', description });
const Answer = Type.Optional(Type.String({ maxLength: 10_000 }));

/** Signing in for a session at the outside issuer. */
export const outsideRoutes: Routes<Parts> = (parts) => async (app) => {
  const { sessions, publicUrl } = parts;
  const outsideSignIn = (): OutsideSignIn => {
    if (!parts.outsideSignIn) throw notFound('way to sign in', 'outside');
    return parts.outsideSignIn;
  };
  const cookie = (value: string, maxAge: number): string =>
    stringifySetCookie({
      name: COOKIE,
      value,
      httpOnly: true,
      // Lax: the browser comes back from the issuer's site.
      sameSite: 'lax',
      path: PATH,
      secure: publicUrl?.startsWith('https:') ?? false,
      maxAge,
    });

  const route = createRouteDefiner(app, { tag: 'accounts' });
  route('GET', PATH, {
    operation: 'auth.outside.begin',
    access: 'public',
    failures: [404],
    summary: 'Sign in at the outside issuer for a session cookie',
    description:
      'For links on pages of this server. Leads to the issuer, which leads back to `GET /auth/outside/callback`. `GET /auth/methods` says whether there is one; without it the answer is 404.',
    query: {
      return_to: Type.Optional(
        Type.String({ maxLength: 2000, description: 'Where to go afterwards: a path of this server.' }),
      ),
    },
    response: { 302: Redirect('To the issuer, or to the sign-in page with `error`.') },
    handle: async ({ query, request, reply }) => {
      const service = outsideSignIn();
      const returnTo = ownPath(query.return_to ?? HOME);
      if (returnTo === undefined) throw invalid('return_to must be a path of this server.');
      try {
        const { location, ticket } = await service.begin(callbackOf(request, publicUrl), returnTo);
        reply.header('set-cookie', cookie(ticket, SIGN_IN_MS / 1000));
        return await goTo(reply, location);
      } catch (error) {
        return await showProblem(reply, error, returnTo);
      }
    },
  });

  route('GET', `${PATH}/callback`, {
    operation: 'auth.outside.callback',
    access: 'public',
    failures: [404],
    summary: 'Where the outside issuer leads back to',
    description:
      'Register this address at the issuer as the redirect URI. With a good answer it begins a session and leads to `return_to`. Otherwise it leads to the sign-in page, and `error` there is one of the error codes.',
    query: { code: Answer, state: Answer, iss: Answer, error: Answer },
    response: { 200: Page, 302: Redirect('To the sign-in page with `error`.') },
    handle: async ({ request, reply }) => {
      const service = outsideSignIn();
      const ticket = parseCookie(request.headers.cookie ?? '')[COOKIE] ?? '';
      reply.header('set-cookie', cookie('', 0));
      try {
        const { searchParams } = new URL(request.url, 'http://own.invalid');
        const { returnTo, ...user } = await service.complete(ticket, searchParams);
        reply.header('set-cookie', await sessions.begin(user));
        return await goOn(reply, returnTo);
      } catch (error) {
        return await showProblem(reply, error, service.returnPath(ticket) ?? HOME);
      }
    },
  });
};

function callbackOf(request: FastifyRequest, publicUrl: string | undefined): string {
  return `${ownUrl(request, publicUrl)}${PATH}/callback`;
}

async function goTo(reply: FastifyReply, location: string): Promise<FastifyReply> {
  return await reply
    .header('cache-control', 'no-store')
    .header('referrer-policy', 'no-referrer')
    .redirect(location, 302);
}

/** A page instead of a redirect: after a redirect from another site, the browser would not send the cookie, which is `SameSite=Strict`. */
async function goOn(reply: FastifyReply, path: string): Promise<FastifyReply> {
  const target = escapeHtml(path);
  const body = `<meta http-equiv="refresh" content="0;url=${target}">\n<p><a href="${target}">Go on</a></p>`;
  return await sendPage(reply, { title: 'Signed in', body });
}

async function showProblem(reply: FastifyReply, error: unknown, returnTo: string): Promise<FastifyReply> {
  if (!(error instanceof AppError)) throw error;
  const { request } = reply;
  request.log.warn({ requestId: request.id, code: error.code, err: error.cause }, 'outside sign-in failed');
  const query = new URLSearchParams({ error: error.code, return_to: returnTo });
  return await goTo(reply, `${SIGN_IN_PAGE}?${query}`);
}
