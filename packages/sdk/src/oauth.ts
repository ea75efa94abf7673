import { AtelierError, SignInError } from './errors.ts';
import type { AnswerName, AnswerOf } from './http/answer.ts';
import type { CallOptions, Transport } from './http/transport.ts';
import type { DeviceAuthorization } from './wire.ts';

/** Which program asks for a key, and for which scopes. */
export interface KeyRequest {
  readonly clientId: string;
  /** Shown to the person who is asked, and part of the name of the key. */
  readonly deviceName?: string | undefined;
  /** Separated by spaces. Default: all but `admin`. */
  readonly scope?: string | undefined;
}

export interface IssuedKey {
  readonly apiKey: string;
  readonly scopes: readonly string[];
}

const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

/** Sign-in for programs: a person allows it on a page of the server, and the program gets its own API key. */
export function createOAuth(transport: Transport, url: string) {
  async function post<Name extends AnswerName>(
    answer: Name,
    path: string,
    fields: Fields,
    options: CallOptions,
  ): Promise<AnswerOf<Name>> {
    try {
      return await transport.post(answer, path, {
        ...options,
        makeBody: () => ({ body: new URLSearchParams(present(fields)), headers: {} }),
      });
    } catch (error) {
      throw toSignInError(error);
    }
  }

  const issue = async (fields: Fields, options: CallOptions): Promise<IssuedKey> => {
    const { access_token: apiKey, scope = '' } = await post('OAuthTokens', '/oauth/token', fields, options);
    return { apiKey, scopes: scope.split(' ').filter(Boolean) };
  };

  return {
    /** The page on which a person allows it (RFC 7636). It leads back to `redirectUri`, on the loopback address, with `code` and `state`. */
    authorizeUrl({
      clientId,
      deviceName,
      scope,
      ...flow
    }: KeyRequest & {
      readonly redirectUri: string;
      readonly state: string;
      /** SHA-256 of the verifier, as base64url. */
      readonly challenge: string;
    }): string {
      const fields = {
        response_type: 'code',
        client_id: clientId,
        redirect_uri: flow.redirectUri,
        state: flow.state,
        code_challenge: flow.challenge,
        code_challenge_method: 'S256',
        device_name: deviceName,
        scope,
      };
      return `${url}/oauth/authorize?${new URLSearchParams(present(fields))}`;
    },

    /** Exchanges the `code` of the page for a key. */
    exchangeCode: async (
      given: {
        readonly clientId: string;
        readonly code: string;
        readonly redirectUri: string;
        readonly verifier: string;
      },
      options: CallOptions = {},
    ): Promise<IssuedKey> =>
      await issue(
        {
          grant_type: 'authorization_code',
          client_id: given.clientId,
          code: given.code,
          redirect_uri: given.redirectUri,
          code_verifier: given.verifier,
        },
        options,
      ),

    /** Starts the device flow (RFC 8628): the person enters `user_code` at `verification_uri`. */
    authorizeDevice: async (
      { clientId, deviceName, scope }: KeyRequest,
      options: CallOptions = {},
    ): Promise<DeviceAuthorization> => {
      const fields = { client_id: clientId, device_name: deviceName, scope };
      return await post('DeviceAuthorization', '/oauth/device_authorization', fields, options);
    },

    /** Asks whether the person has allowed it. Until then it throws a `SignInError` with the reason `authorization_pending` or `slow_down`. */
    exchangeDeviceCode: async (
      { clientId, deviceCode }: { readonly clientId: string; readonly deviceCode: string },
      options: CallOptions = {},
    ): Promise<IssuedKey> =>
      await issue({ grant_type: DEVICE_GRANT, client_id: clientId, device_code: deviceCode }, options),

    /** Revokes a key that was issued here (RFC 7009). */
    async revoke(
      { clientId, apiKey }: { readonly clientId: string; readonly apiKey: string },
      options: CallOptions = {},
    ): Promise<void> {
      await post('nothing', '/oauth/revoke', { token: apiKey, client_id: clientId }, options);
    },
  };
}

type Fields = Readonly<Record<string, string | undefined>>;

function present(fields: Fields): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

/** OAuth has its own codes, which are not in the catalog. */
function toSignInError(error: unknown): unknown {
  if (!(error instanceof AtelierError) || error.code !== 'client.answer') return error;
  const [reason] = error.details;
  return reason === undefined ? error : new SignInError(reason, error.message, { status: error.status });
}
