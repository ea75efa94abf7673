import * as oauth from 'oauth4webapi';

import { systemClock } from '../../platform/clock.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { memoizeFor } from '../../platform/memoize-for.ts';
import type { Outbound } from '../../platform/net/outbound.ts';
import { OutboundError } from '../../platform/net/outbound-error.ts';
import type { Secret } from '../../platform/secret.ts';

const SCOPE = 'openid email profile';
const MAX_ANSWER_BYTES = 256 * 1024;
const ANSWER_TIMEOUT_MS = 5000;
const DISCOVERED_MS = 60 * 60_000;
/** Statuses whose answers must not have a body. */
const BODILESS = new Set([204, 205, 304]);

export interface OutsideClientParts {
  /** Allowed to reach the issuer, whose address the operator chose. */
  readonly outbound: Outbound;
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: Secret | undefined;
}

/** What the answer to one sign-in must match. The browser keeps it in the meantime. */
export interface Expected {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly redirectUri: string;
}

/** The authorization code flow of OpenID Connect with PKCE, as a client of the issuer. */
export function createOutsideClient({ outbound, issuer, clientId, clientSecret }: OutsideClientParts) {
  const client: oauth.Client = { client_id: clientId };
  const options = {
    // Plain http only if the operator has named the issuer with it.
    [oauth.allowInsecureRequests]: issuer.startsWith('http:'),
    [oauth.customFetch]: async (
      url: string,
      init: oauth.CustomFetchOptions<string, URLSearchParams | undefined>,
    ) => {
      const { status, headers, body } = await outbound.request(url, {
        method: init.method === 'POST' ? 'POST' : 'GET',
        headers: init.headers,
        body: init.body?.toString(),
        protocols: ['https:', 'http:'],
        maxBytes: MAX_ANSWER_BYTES,
        timeoutMs: ANSWER_TIMEOUT_MS,
        signal: init.signal,
      });
      return new Response(BODILESS.has(status) ? null : new Uint8Array(body), {
        status,
        headers: { 'content-type': headers['content-type'] ?? '' },
      });
    },
  };

  const discover = memoizeFor(DISCOVERED_MS, systemClock, async () => {
    try {
      const answer = await oauth.discoveryRequest(new URL(issuer), options);
      const found = await oauth.processDiscoveryResponse(new URL(issuer), answer);
      const page = new URL(found.authorization_endpoint ?? '');
      if (page.protocol !== 'https:' && !options[oauth.allowInsecureRequests]) {
        throw new OutboundError('protocol', 'the authorization endpoint is not behind TLS');
      }
      return { metadata: found, page };
    } catch (error) {
      throw unreachable(error);
    }
  });

  return {
    /** Where to send the browser. */
    async pageFor({ state, nonce, verifier, redirectUri }: Expected): Promise<string> {
      const { page } = await discover();
      const url = new URL(page);
      const parameters = {
        response_type: 'code',
        client_id: clientId,
        redirect_uri: redirectUri,
        scope: SCOPE,
        state,
        nonce,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      };
      for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
      return url.href;
    },

    /** Exchanges the answer for the ID token. Its claims are checked, its signature is not. */
    async exchange(answer: URLSearchParams, expected: Expected): Promise<string> {
      const { metadata } = await discover();
      const checked = readAnswer(metadata, client, answer, expected.state);
      try {
        const response = await oauth.authorizationCodeGrantRequest(
          metadata,
          client,
          clientAuth(metadata, clientSecret),
          checked,
          expected.redirectUri,
          expected.verifier,
          options,
        );
        const tokens = await oauth.processAuthorizationCodeResponse(metadata, client, response, {
          expectedNonce: expected.nonce,
          requireIdToken: true,
        });
        return tokens.id_token ?? '';
      } catch (error) {
        if (error instanceof OutboundError) throw unreachable(error);
        if (error instanceof oauth.ResponseBodyError) throw refused(error);
        throw new AppError('auth.invalid', 'The issuer has answered with an ID token that does not fit.', {
          cause: error,
        });
      }
    },
  };
}

function readAnswer(
  metadata: oauth.AuthorizationServer,
  client: oauth.Client,
  answer: URLSearchParams,
  state: string,
): URLSearchParams {
  try {
    return oauth.validateAuthResponse(metadata, client, answer, state);
  } catch (error) {
    if (error instanceof oauth.AuthorizationResponseError) throw refused(error);
    throw new AppError('auth.sign_in_ended', 'The answer does not belong to this sign-in. Begin again.', {
      cause: error,
    });
  }
}

function clientAuth(
  { token_endpoint_auth_methods_supported: methods }: oauth.AuthorizationServer,
  secret: Secret | undefined,
): oauth.ClientAuth {
  if (!secret) return oauth.None();
  // Basic is the default of OpenID Connect.
  const isBasic = methods?.includes('client_secret_basic') ?? true;
  return isBasic ? oauth.ClientSecretBasic(secret.reveal()) : oauth.ClientSecretPost(secret.reveal());
}

function unreachable(cause: unknown): AppError {
  return new AppError('auth.issuer_unreachable', 'The sign-in provider cannot be reached.', {
    retryAfterSeconds: 10,
    cause,
  });
}

function refused(cause: unknown): AppError {
  return new AppError('auth.sign_in_refused', 'The outside issuer has refused the sign-in.', { cause });
}
