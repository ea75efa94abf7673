import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from 'jose';

export const AUDIENCE = 'atelier-acceptance';

type Algorithm = 'RS256' | 'ES256';

interface TokenOptions {
  readonly algorithm?: Algorithm;
  /** Signs with a key that the issuer does not publish. */
  readonly key?: CryptoKey;
  readonly header?: Readonly<Record<string, unknown>>;
}

export interface IssuerAnswer {
  readonly status: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface OutsideIssuer extends AsyncDisposable {
  readonly issuer: string;
  readonly settings: Record<string, string>;
  /** A token of an hour for our audience; a claim that is `undefined` is left out. */
  token(claims: Readonly<Record<string, unknown>>, options?: TokenOptions): Promise<string>;
  /** Opens the door that publishes the keys. */
  open(): Promise<void>;
  close(): Promise<void>;
  /** What the door answers instead of the keys. */
  answerWith(answer: IssuerAnswer | undefined): void;
}

/** An OpenID Connect issuer, as far as a server that accepts its tokens can see: keys behind a URL. */
export async function startIssuer(): Promise<OutsideIssuer> {
  const algorithms: readonly Algorithm[] = ['RS256', 'ES256'];
  const pairs = new Map<Algorithm, CryptoKey>();
  const keys: object[] = [];
  for (const algorithm of algorithms) {
    const { privateKey, publicKey } = await generateKeyPair(algorithm);
    pairs.set(algorithm, privateKey);
    keys.push({ ...(await exportJWK(publicKey)), kid: `outside-${algorithm}`, alg: algorithm, use: 'sig' });
  }

  let instead: IssuerAnswer | undefined;
  const server = createServer((_request, response) => {
    const {
      status,
      body,
      headers = {},
    }: IssuerAnswer = instead ?? { status: 200, body: JSON.stringify({ keys }) };
    response.writeHead(status, { 'content-type': 'application/json', connection: 'close', ...headers });
    response.end(body);
  });
  let port = 0;
  const open = async () => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    ({ port } = server.address() as AddressInfo);
  };
  const close = async () => {
    if (!server.listening) return;
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  await open();
  const issuer = `http://127.0.0.1:${port}`;

  return {
    issuer,
    settings: {
      ATELIER_OIDC_ISSUER: issuer,
      ATELIER_OIDC_AUDIENCE: AUDIENCE,
      ATELIER_OIDC_JWKS_URL: `${issuer}/keys`,
    },
    async token(claims, { algorithm = 'RS256', key, header = {} } = {}) {
      const now = Math.floor(Date.now() / 1000);
      const payload = { iss: issuer, aud: AUDIENCE, iat: now, exp: now + 3600, ...claims };
      const signer = key ?? pairs.get(algorithm);
      if (!signer) throw new Error(`no key for ${algorithm}`);
      return await new SignJWT(payload)
        .setProtectedHeader({ alg: algorithm, kid: `outside-${algorithm}`, ...header })
        .sign(signer);
    },
    open,
    close,
    answerWith: (answer) => {
      instead = answer;
    },
    [Symbol.asyncDispose]: close,
  };
}
