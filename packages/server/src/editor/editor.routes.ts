import fastifyStatic from '@fastify/static';
import type { FastifyReply } from 'fastify';

import { createRouteDefiner } from '../platform/http/define-route.ts';
import type { App, Routes } from '../platform/http/route-config.ts';

const SIGN_IN_PAGE = '/console/sign-in?return_to=%2Feditor%2F';
/** Keeps the editor from contacting its maker's servers for news and error reports. */
const POLICY = "connect-src 'self' blob: data:; frame-ancestors 'self'; base-uri 'self'";
/** Names that change with the content. */
const HASHED = /^assets\//;
const YEAR_SECONDS = 31_536_000;

/** The stock frontend calls the server below its own path when that is not the root. */
const CALLS = /^\/editor(\/(?:api|internal|templates)\/|\/ws(?:\?|$))/;

/** The stock frontend of ComfyUI, if an operator has fetched it. The page needs a session; the files are public anyway. */
export const editorRoutes: Routes<{ readonly folder: string }> =
  ({ folder }) =>
  async (app) => {
    // A scope of its own, since other routes serve other folders.
    await app.register(async (scope) => await addRoutes(scope as App, folder));
  };

async function addRoutes(app: App, folder: string): Promise<void> {
  // The folder is missing until the editor is fetched, which needs no restart and no warning.
  const options = { root: folder, serve: false, cacheControl: false, suppressWarning: true } as const;
  await app.register(fastifyStatic, options);
  const route = createRouteDefiner(app, { tag: 'host' });
  route('GET', '/editor', {
    operation: 'editor.door',
    access: 'public',
    hide: true,
    response: {},
    handle: async ({ reply }) => await reply.redirect('/editor/', 302),
  });
  route('GET', '/editor/', {
    operation: 'editor.page',
    access: 'optional',
    hide: true,
    response: {},
    handle: async ({ actor, reply }) => {
      reply.headers({ 'cache-control': 'no-store', 'content-security-policy': POLICY });
      return actor ? await send(reply, 'index.html') : await reply.redirect(SIGN_IN_PAGE, 302);
    },
  });
  route('GET', '/editor/*', {
    operation: 'editor.file',
    access: 'public',
    hide: true,
    response: {},
    handle: async ({ params, reply }) => {
      const { '*': path } = params as { readonly '*': string };
      if (path === 'index.html') return await reply.redirect('/editor/', 302);
      reply.header(
        'cache-control',
        HASHED.test(path) ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache',
      );
      return await send(reply, path);
    },
  });
}

async function send(reply: FastifyReply, path: string): Promise<FastifyReply> {
  return await reply.header('x-content-type-options', 'nosniff').sendFile(path);
}

/** The URL of the route that such a call means; other URLs are unchanged. */
export function withoutEditorPath(url: string): string {
  return url.replace(CALLS, '$1');
}
