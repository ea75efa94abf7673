import { OAuthError, OAuthTokens } from '@atelier/contracts';
import { Type } from 'typebox';

import { createRouteDefiner } from '../../platform/http/define-route.ts';
import type { Routes } from '../../platform/http/route-config.ts';
import type { DeviceSignIn } from './device-sign-in.service.ts';
import type { OAuth } from './oauth.service.ts';
import { DEVICE_CODE_GRANT, findClient, refuse } from './oauth-clients.ts';

const Field = Type.Optional(Type.String({ maxLength: 1000 }));
const TokenForm = Type.Object({
  grant_type: Type.Optional(
    Type.String({ description: `\`authorization_code\`, \`refresh_token\` or \`${DEVICE_CODE_GRANT}\`.` }),
  ),
  client_id: Field,
  code: Field,
  redirect_uri: Field,
  code_verifier: Field,
  refresh_token: Field,
  device_code: Field,
});

export const oauthTokenRoutes: Routes<{ oauth: OAuth; devices: Pick<DeviceSignIn, 'poll'> }> =
  ({ oauth, devices }) =>
  async (app) => {
    const route = createRouteDefiner(app, { tag: 'accounts' });
    route('POST', '/oauth/revoke', {
      operation: 'oauth.revoke',
      access: 'public',
      summary: 'End an API key or a refresh token',
      description:
        'RFC 7009: a program signs out with the credential itself, whatever its scopes are. A token that is not known gets the same answer.',
      consumes: ['application/x-www-form-urlencoded'],
      body: Type.Object({
        token: Type.String({ maxLength: 1000 }),
        client_id: Field,
        token_type_hint: Field,
      }),
      response: { 200: Type.Object({}, { description: 'It is good no longer.' }) },
      handle: async ({ body }) => {
        await oauth.revoke(body.token);
        return {};
      },
    });

    route('POST', '/oauth/token', {
      operation: 'oauth.token',
      access: 'public',
      failures: [403, 409],
      summary: 'Exchange what a person has allowed for a credential',
      description:
        'The client `comfy-cli` gets an access token and a refresh token. Each refresh answers with a new refresh token; the old one stays good for another minute, in case the answer is lost. A change of password ends both. The client `atelier-cli` gets an API key as `access_token`: it has the scopes that were allowed, does not expire, and is listed and revoked under `/customers/api-keys`. A code needs the `code_verifier` and the same `client_id` and `redirect_uri`. A `device_code` is asked about every `interval` seconds: until the decision the answer is 400 `authorization_pending`, or `slow_down` for who asks too often.',
      consumes: ['application/x-www-form-urlencoded'],
      body: TokenForm,
      response: { 200: OAuthTokens, 400: OAuthError },
      handle: async ({ body, reply }) => {
        reply.header('cache-control', 'no-store');
        const { grant_type: grant = '', client_id: clientId = '', refresh_token: refreshToken = '' } = body;
        const { code = '', redirect_uri: redirectUri = '', code_verifier: verifier = '' } = body;
        const exchange = async () => {
          const client = findClient(clientId);
          if (!client) return 'invalid_client';
          switch (grant) {
            case 'authorization_code':
              return await oauth.exchangeCode(code, { clientId, redirectUri, verifier });
            case 'refresh_token':
              return client.issues === 'tokens' ? await oauth.refresh(refreshToken) : 'unauthorized_client';
            case DEVICE_CODE_GRANT:
              return client.issues === 'key'
                ? await devices.poll(body.device_code ?? '', clientId)
                : 'unauthorized_client';
            default:
              return 'unsupported_grant_type';
          }
        };
        const issued = (await exchange()) ?? 'invalid_grant';
        return typeof issued === 'object' ? issued : await refuse(reply, issued);
      },
    });
  };
