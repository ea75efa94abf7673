import { createHash, randomBytes } from 'node:crypto';
import type { Atelier, IssuedKey, KeyRequest } from '@atelier/sdk';

import type { Context } from '../context.ts';
import { startLoopback } from './loopback-server.ts';
import { openBrowser } from './open-browser.ts';

/** The authorization code flow with PKCE (RFC 7636) and a loopback redirect (RFC 8252). */
export async function signInByBrowser(
  { output, env, signal }: Context,
  { oauth }: Atelier,
  request: KeyRequest,
): Promise<IssuedKey> {
  const state = randomBytes(16).toString('base64url');
  const verifier = randomBytes(32).toString('base64url');
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const loopback = await startLoopback(state, signal);
  try {
    const { redirectUri } = loopback;
    const page = oauth.authorizeUrl({ ...request, redirectUri, state, challenge });
    // Shown even with --quiet, because sign-in cannot continue without it.
    output.stderr.write(`Sign in on this page, which opens in your browser:\n\n  ${page}\n\n`);
    if (!(await openBrowser(page, env)))
      output.stderr.write('No browser could be started. Open the page yourself, or use --device.\n');
    const code = await loopback.code;
    const { clientId } = request;
    return await oauth.exchangeCode({ clientId, code, redirectUri, verifier }, { signal });
  } finally {
    loopback.close();
  }
}
