import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from 'jose';

export const CLIENT_ID = 'atelier-pages';
export const CLIENT_SECRET = 'a secret: of the client';

interface Grant {
  readonly asked: URLSearchParams;
  readonly claims: Readonly<Record<string, unknown>>;
  readonly key: CryptoKey;
}

/** An OpenID Connect issuer with pages for people; the test is the person. */
export interface BrowserIssuer extends AsyncDisposable {
  readonly issuer: string;
  readonly settings: Record<string, string>;
  /** How often the code was asked for tokens. */
  exchanges(): number;
  /** The person at `page` agrees: the code for the redirect. A claim that is `undefined` is left out of the ID token. */
  approve(page: URL, claims: Readonly<Record<string, unknown>>, key?: CryptoKey): string;
  idToken(page: URL, claims: Readonly<Record<string, unknown>>): Promise<string>;
  /** Instead of the discovery document or of tokens, while it is set. */
  answers: { discovery?: object | undefined; token?: { status: number; body: string } | undefined };
}

export async function startBrowserIssuer({
  hasSecret = true,
  keepsCodes = false,
} = {}): Promise<BrowserIssuer> {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const jwk = { ...(await exportJWK(publicKey)), kid: 'pages', alg: 'ES256', use: 'sig' };
  const grants = new Map<string, Grant>();
  const answers: BrowserIssuer['answers'] = {};
  let exchanges = 0;

  const idToken = async ({ asked, claims, key }: Grant): Promise<string> => {
    const now = Math.floor(Date.now() / 1000);
    const standard = { iss: issuer, aud: CLIENT_ID, iat: now, exp: now + 300, nonce: asked.get('nonce') };
    return await new SignJWT({ ...standard, ...claims })
      .setProtectedHeader({ alg: 'ES256', kid: 'pages' })
      .sign(key);
  };
  /** As strict as an issuer must be: redirect URI, PKCE and the client's own credential. */
  const exchange = async (request: IncomingMessage): Promise<{ status: number; body: string }> => {
    exchanges += 1;
    const form = new URLSearchParams(await text(request));
    const code = form.get('code') ?? '';
    const grant = grants.get(code);
    const refuse = (error: string) => ({ status: 400, body: JSON.stringify({ error }) });
    const [, basic = ''] = request.headers.authorization?.split(' ') ?? [];
    const [id, secret] = Buffer.from(basic, 'base64').toString().split(':').map(decodeURIComponent);
    const isClient = id === CLIENT_ID && secret?.replaceAll('+', ' ') === CLIENT_SECRET;
    if (hasSecret && !isClient) return refuse('invalid_client');
    if (!hasSecret && form.get('client_id') !== CLIENT_ID) return refuse('invalid_client');
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const fits =
      grant?.asked.get('code_challenge') === challenge &&
      grant.asked.get('redirect_uri') === form.get('redirect_uri') &&
      form.get('grant_type') === 'authorization_code';
    if (!grant || !fits) return refuse('invalid_grant');
    if (!keepsCodes) grants.delete(code);
    const tokens = { access_token: 'unused', token_type: 'Bearer', id_token: await idToken(grant) };
    return { status: 200, body: JSON.stringify(tokens) };
  };

  const server = createServer((request, response) => {
    void (async () => {
      const documents: Readonly<Record<string, object>> = {
        '/.well-known/openid-configuration': answers.discovery ?? {
          issuer,
          authorization_endpoint: `${issuer}/authorize?tenant=one`,
          token_endpoint: `${issuer}/token`,
          jwks_uri: `${issuer}/keys`,
          id_token_signing_alg_values_supported: ['ES256'],
          authorization_response_iss_parameter_supported: true,
        },
        '/keys': { keys: [jwk] },
      };
      const known = documents[request.url ?? ''];
      const answer =
        request.url === '/token'
          ? (answers.token ?? (await exchange(request)))
          : { status: known ? 200 : 404, body: JSON.stringify(known ?? {}) };
      response.writeHead(answer.status, { 'content-type': 'application/json', connection: 'close' });
      response.end(answer.body);
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    issuer,
    settings: {
      ATELIER_OIDC_ISSUER: issuer,
      ATELIER_OIDC_AUDIENCE: 'atelier-programs',
      ATELIER_OIDC_JWKS_URL: `${issuer}/keys`,
      ATELIER_OIDC_CLIENT_ID: CLIENT_ID,
      ATELIER_OIDC_NAME: 'Example ID',
      ...(hasSecret ? { ATELIER_OIDC_CLIENT_SECRET: CLIENT_SECRET } : {}),
    },
    exchanges: () => exchanges,
    approve: (page, claims, key = privateKey) => {
      const code = randomUUID();
      grants.set(code, { asked: page.searchParams, claims, key });
      return code;
    },
    idToken: async (page, claims) => await idToken({ asked: page.searchParams, claims, key: privateKey }),
    answers,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
