import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';

import { AppError } from '../../platform/errors/app-error.ts';
import type { App } from '../../platform/http/route-config.ts';

export const Page = Type.Unsafe<unknown>({
  description: 'A page for people.',
  content: { 'text/html': { schema: { type: 'string' } } },
});

/** Failures that people can do something about: sign in, delete a key, wait, ask an administrator. */
const SHOWN = new Set([401, 403, 409, 429]);

/** The colors of the console. The page needs no other file. */
const STYLE = `
:root { color-scheme: light dark; --canvas: #f6f6f4; --surface: #fff; --text: #1b1b1d; --muted: #5b5b61; --line: #e4e4e0;
  --edge: #8b8b92; --accent: #3d5af1; --on-accent: #fff; --failed: #c2372b; }
@media (prefers-color-scheme: dark) { :root { --canvas: #121214; --surface: #1a1a1d; --text: #ececee; --muted: #a3a3ab; --line: #2d2d32;
  --edge: #6d6d75; --accent: #7d92ff; --on-accent: #121214; --failed: #ff6f61; } }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 24px 16px; background: var(--canvas);
  color: var(--text); font: 16px/1.45 system-ui, sans-serif; overflow-wrap: anywhere; }
main { width: 100%; max-width: 432px; padding: 32px; background: var(--surface); border: 1px solid var(--line); border-radius: 6px; }
.brand { margin: 0 0 24px; font-size: 14px; font-weight: 600; color: var(--muted); }
h1 { margin: 0 0 16px; font-size: 20px; line-height: 1.3; }
p { margin: 0 0 16px; } main > :last-child { margin-bottom: 0; } .muted { color: var(--muted); font-size: 14px; }
dl { margin: 0 0 16px; padding: 4px 16px; border: 1px solid var(--line); border-radius: 6px; }
dl > div { padding: 8px 0; } dl > div + div { border-top: 1px solid var(--line); }
dt { font-size: 13px; color: var(--muted); } dd { margin: 0; }
ul { margin: 0; padding: 0 0 0 18px; } li { padding: 2px 0; }
.code { font: 600 28px/1.3 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; letter-spacing: 2px; }
label { display: block; margin: 0 0 12px; font-size: 14px; }
input { display: block; width: 100%; margin: 4px 0 0; padding: 10px 12px; font: inherit; font-size: 16px; color: inherit;
  background: var(--canvas); border: 1px solid var(--edge); border-radius: 6px; }
input.code { font-size: 20px; text-transform: uppercase; }
details { margin: 0 0 16px; } summary { margin: 0 0 12px; font-size: 14px; color: var(--muted); cursor: pointer; }
.actions { display: flex; gap: 8px; margin: 20px 0 0; }
button { flex: 1; padding: 11px 16px; font: inherit; font-weight: 600; border-radius: 6px; border: 1px solid var(--edge);
  background: transparent; color: var(--text); cursor: pointer; }
button.primary { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
[role=alert] { padding: 10px 12px; border: 1px solid var(--failed); border-left-width: 4px; border-radius: 6px; }
@media (max-width: 480px) { body { padding: 0; place-items: start stretch; background: var(--surface); }
  main { max-width: none; padding: 24px 20px; border: 0; } }`;

export interface PageContent {
  readonly title: string;
  /** HTML. Foreign text in it is escaped. */
  readonly body: string;
  readonly problem?: string | undefined;
}

/** `formTargets`: where the form may lead besides this server. */
export async function sendPage(
  reply: FastifyReply,
  { title, body, problem }: PageContent,
  formTargets: readonly string[] = [],
): Promise<FastifyReply> {
  const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Atelier</title>
<style>${STYLE}</style>
<main>
<p class="brand">Atelier</p>
<h1>${escapeHtml(title)}</h1>
${problem === undefined ? '' : `<p role="alert">${escapeHtml(problem)}</p>`}
${body}
</main>
</html>
`;
  // Browsers apply `form-action` to the redirect that follows a form too.
  const forms = ["'self'", ...formTargets].join(' ');
  return await reply
    .type('text/html; charset=utf-8')
    .headers({
      'content-security-policy': `default-src 'none'; style-src 'unsafe-inline'; form-action ${forms}; frame-ancestors 'none'; base-uri 'none'`,
      'cache-control': 'no-store',
      // Without a referrer, browsers send no Origin with the form.
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    })
    .serializer(String)
    .send(page);
}

export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);
}

/** Sets the status of the answer and returns the sentence for the page. Other errors are thrown again. */
export function shownProblem(reply: FastifyReply, error: unknown): string {
  if (!(error instanceof AppError) || !SHOWN.has(error.status)) throw error;
  if (error.retryAfterSeconds !== undefined) reply.header('retry-after', error.retryAfterSeconds);
  reply.statusCode = error.status;
  return error.message;
}

/** Bodies are forms, as browsers and OAuth clients send them, and nothing else. */
export function acceptForms(app: App): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  );
}
