import { createHash, randomBytes } from 'node:crypto';

import type { Context } from '../context.ts';
import { CLIENT_ID, type IssuedKey, postForm, readIssuedKey } from './ask-server.ts';
import { startLoopback } from './loopback-server.ts';
import { openBrowser } from './open-browser.ts';

export interface KeyRequest {
  readonly url: string;
  readonly scope: string | undefined;
  readonly deviceName: string;
}

/** The authorization code flow with PKCE (RFC 7636) and a loopback redirect (RFC 8252). */
export async function signInByBrowser(
  { output, env, signal }: Context,
  { url, scope, deviceName }: KeyRequest,
): Promise<IssuedKey> {
  const state = randomBytes(16).toString('base64url');
  const verifier = randomBytes(32).toString('base64url');
  const loopback = await startLoopback(state, signal);
  try {
    const page = new URL(`${url}/oauth/authorize`);
    page.search = String(
      new URLSearchParams({
        response_type: 'code',
        client_id: CLIENT_ID,
        redirect_uri: loopback.redirectUri,
        state,
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
        device_name: deviceName,
        ...(scope !== undefined && { scope }),
      }),
    );
    // Nobody could go on without it, so it is shown whatever else is hidden.
    output.stderr.write(`Sign in on this page, which opens in your browser:\n\n  ${page.href}\n\n`);
    if (!(await openBrowser(page.href, env)))
      output.stderr.write('No browser could be started. Open the page yourself, or use --device.\n');
    const code = await loopback.code;
    const answer = await postForm(
      `${url}/oauth/token`,
      {
        grant_type: 'authorization_code',
        client_id: CLIENT_ID,
        code,
        redirect_uri: loopback.redirectUri,
        code_verifier: verifier,
      },
      signal,
    );
    return readIssuedKey(answer);
  } finally {
    loopback.close();
  }
}
