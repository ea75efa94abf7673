import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { CliError, EXIT } from '../exit-codes.ts';

const WAIT_MS = 5 * 60_000;

export interface Loopback {
  readonly redirectUri: string;
  /** The authorization code from the browser. */
  readonly code: Promise<string>;
  close(): void;
}

/** Listens on this machine for the one redirect from the server. */
export async function startLoopback(state: string, signal: AbortSignal): Promise<Loopback> {
  const deadline = AbortSignal.timeout(WAIT_MS);
  let settle: { resolve: (code: string) => void; reject: (error: unknown) => void } | undefined;
  const code = new Promise<string>((resolve, reject) => {
    settle = { resolve, reject };
  });
  // It may reject before anyone awaits it.
  code.catch(() => {});
  deadline.addEventListener('abort', () =>
    settle?.reject(
      new CliError('Nobody signed in within five minutes.', {
        exitCode: EXIT.cancelled,
        advice: 'Run it again. Where the browser is on another computer, use "atelier login --device".',
      }),
    ),
  );
  signal.addEventListener('abort', () => settle?.reject(signal.reason));

  const server = createServer({ requestTimeout: 10_000 }, (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1');
    if (request.method !== 'GET' || pathname !== '/callback')
      return page(response, 404, 'There is nothing here.');
    // Any page can redirect a browser here. Only the requested server knows the state.
    if (searchParams.get('state') !== state)
      return page(response, 400, 'This answer belongs to another sign-in. Go back to the terminal.');
    const [answer, error] = [searchParams.get('code'), searchParams.get('error')];
    if (answer) {
      page(response, 200, 'You can close this page and go back to the terminal.');
      settle?.resolve(answer);
    } else {
      page(response, 200, 'You are not signed in. You can close this page.');
      settle?.reject(denied(error));
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    redirectUri: `http://127.0.0.1:${port}/callback`,
    code,
    close() {
      server.close();
      server.closeIdleConnections();
    },
  };
}

function denied(error: string | null): CliError {
  const message =
    error === 'access_denied'
      ? 'Signing in was denied.'
      : `The server refused to sign you in (${error ?? 'no code'}).`;
  return new CliError(message, {
    exitCode: EXIT.refused,
    ...(error === 'invalid_scope' && { advice: 'Look at --scope in "atelier help login".' }),
  });
}

function page(response: ServerResponse, status: number, sentence: string): void {
  response
    .writeHead(status, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      connection: 'close',
    })
    .end(
      `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Atelier</title>
<style>:root{color-scheme:light dark;font:1rem/1.5 system-ui}body{margin:4rem auto;max-width:30rem;padding:0 1rem}</style>
<h1>Atelier</h1><p>${sentence}</p></html>\n`,
    );
}
