import type { App } from '../../platform/http/route-config.ts';

/** Bodies are forms here, as browsers and OAuth clients send them, and nothing else. */
export function acceptForms(app: App): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  );
}
