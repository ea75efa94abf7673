import fastifyStatic from '@fastify/static';
import type { FastifyReply } from 'fastify';

import { createRouteDefiner } from '../platform/http/define-route.ts';
import type { App, Routes } from '../platform/http/route-config.ts';
import type { ConsoleBuild } from './console-build.ts';

/** Only files of this server, and no inline script or style. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob: data:",
  "media-src 'self' blob:",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

const PAGES = {
  building: [
    'Atelier is getting ready',
    'The console is being built. This takes some seconds, once after an update.',
  ],
  failed: ['There is no console', 'It could not be built. The log of the server says why. The API works.'],
} as const;

export const consoleRoutes: Routes<{ readonly build: ConsoleBuild }> =
  ({ build }) =>
  async (app) => {
    // A scope of its own, since other routes serve other folders.
    await app.register(async (scope) => await addRoutes(scope as App, build));
  };

async function addRoutes(app: App, build: ConsoleBuild): Promise<void> {
  await app.register(fastifyStatic, {
    root: build.folder,
    // The folder is missing until the console is built.
    suppressWarning: true,
    serve: false,
    preCompressed: true,
    dotfiles: 'deny',
  });
  const route = createRouteDefiner(app, { tag: 'operation' });

  const page = async (reply: FastifyReply) => {
    const state = build.state();
    if (state !== 'ready') return await sendWaitingPage(reply, state);
    return await secure(reply)
      .header('cache-control', 'no-cache')
      .sendFile('index.html', { cacheControl: false });
  };

  route('GET', '/console', {
    operation: 'console.root',
    access: 'public',
    hide: true,
    response: {},
    handle: async ({ reply }) => await reply.redirect('/console/', 308),
  });

  route('GET', '/console/*', {
    operation: 'console.page',
    access: 'public',
    hide: true,
    response: {},
    handle: async ({ request, reply }) => {
      const { '*': path = '' } = request.params as { '*'?: string };
      if (!/^(assets\/[\w.-]+|theme\.js|icon\.svg)$/.test(path) || build.state() !== 'ready')
        return await page(reply);
      // The names of assets change with their content.
      const cache = path.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';
      return await reply
        .header('x-content-type-options', 'nosniff')
        .header('cache-control', cache)
        .sendFile(path, { cacheControl: false });
    },
  });
}

function secure(reply: FastifyReply): FastifyReply {
  return reply
    .header('content-security-policy', POLICY)
    .header('x-content-type-options', 'nosniff')
    .header('referrer-policy', 'same-origin');
}

/** Reloads every second while the console is built. */
async function sendWaitingPage(reply: FastifyReply, state: keyof typeof PAGES): Promise<FastifyReply> {
  const [title, sentence] = PAGES[state];
  const refresh = state === 'building' ? '<meta http-equiv="refresh" content="1">' : '';
  return await reply
    .code(503)
    .header('retry-after', '1')
    .header('cache-control', 'no-store')
    .header('content-security-policy', "default-src 'none'; frame-ancestors 'none'")
    .type('text/html; charset=utf-8')
    .send(
      `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">${refresh}<title>${title}</title><h1>${title}</h1><p>${sentence}</p></html>\n`,
    );
}
