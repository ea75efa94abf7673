import { createHash } from 'node:crypto';
import type { AccessToken, Scope } from '@atelier/contracts';

import { hashCredential } from '../../platform/credential-hash.ts';
import { withTransaction } from '../../platform/db/database.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { randomToken } from '../../platform/ids.ts';
import type { ServiceParts } from '../../platform/service-parts.ts';
import { findActorBySession } from '../actors.repo.ts';
import { type ApiKeysService, KEY_PREFIX } from '../credentials/api-keys.service.ts';
import type { Tokens } from '../credentials/tokens.service.ts';
import { deleteSession, endSessionBy, insertSession } from '../sign-in/sessions.repo.ts';
import { findClient, type KeyRequest, keyNameOf } from './oauth-clients.ts';

const CODE_MS = 2 * 60_000;
/** A client whose answer got lost sends the same refresh token again. */
const REPLAY_MS = 60_000;

interface Parts extends ServiceParts {
  readonly tokens: Tokens;
  readonly sessionSeconds: number;
  readonly apiKeys: Pick<ApiKeysService, 'create' | 'removeBySecret'>;
}

/** A code is bound to this: the exchange must name all of it. */
interface CodeBinding {
  readonly clientId: string;
  readonly redirectUri: string;
  /** S256 of the verifier that only the client knows. */
  readonly challenge: string;
}

type OAuthTokens = AccessToken & { readonly refresh_token: string };

/** An API key where OAuth has an access token. It does not expire. */
export interface IssuedKey {
  readonly access_token: string;
  readonly token_type: 'Bearer';
  readonly scope: string;
}

export type OAuth = ReturnType<typeof createOAuth>;

/**
 * Authorization codes and refresh tokens. They are rows of `sessions`, so they end with a new password and are tidied up like
 * sessions. Their hashes have a prefix that no hash of a cookie has.
 */
export function createOAuth({ db, clock, tokens, sessionSeconds, apiKeys }: Parts) {
  const begin = async (tokenHash: string, user: { id: string; at: number }, ms: number): Promise<void> =>
    await insertSession(db, {
      token_hash: tokenHash,
      user_id: user.id,
      created_at: user.at,
      expires_at: clock() + ms,
    });

  const find = async (tokenHash: string, at: number) => {
    const actor = await findActorBySession(db, tokenHash, at);
    if (actor?.status === 'banned') throw new AppError('auth.banned', 'This account is banned.');
    return actor && { ...actor, at };
  };

  const issue = async (user: Parameters<Tokens['issue']>[0]): Promise<OAuthTokens> => {
    const refreshToken = randomToken(32);
    await begin(refreshHash(refreshToken), user, sessionSeconds * 1000);
    return { ...(await tokens.issue(user)), refresh_token: refreshToken };
  };

  /** In one transaction: if the key cannot be created, the code stays valid. */
  const issueKey = async (
    code: string,
    tokenHash: string,
    clientId: string,
  ): Promise<IssuedKey | undefined> =>
    await withTransaction(db, async (tx) => {
      const userId = await deleteSession(tx, tokenHash);
      if (userId === undefined) return undefined;
      const { scopes, deviceName } = keyRequestIn(code);
      const name = keyNameOf(clientId, deviceName);
      const { api_key } = await apiKeys.create({ userId }, { name, scopes }, tx);
      return { access_token: api_key.plaintext_key, token_type: 'Bearer', scope: scopes.join(' ') };
    });

  return {
    /** `wanted`: what the user has allowed, if the client gets a key. */
    async issueCode(
      user: { id: string; at: number },
      binding: CodeBinding,
      wanted: KeyRequest | undefined,
    ): Promise<string> {
      const code = wanted ? `${randomToken(32)}.${toText(wanted)}` : randomToken(32);
      await begin(codeHash(code, binding), user, CODE_MS);
      return code;
    },

    /** `undefined` for a code that is wrong, used, expired or another client's. */
    async exchangeCode(
      code: string,
      { verifier, ...client }: Omit<CodeBinding, 'challenge'> & { readonly verifier: string },
    ): Promise<OAuthTokens | IssuedKey | undefined> {
      const challenge = createHash('sha256').update(verifier).digest('base64url');
      const tokenHash = codeHash(code, { ...client, challenge });
      const user = await find(tokenHash, clock());
      if (!user) return undefined;
      if (findClient(client.clientId)?.issues === 'key')
        return await issueKey(code, tokenHash, client.clientId);
      // The request that deletes it may use it.
      return (await deleteSession(db, tokenHash)) ? await issue(user) : undefined;
    },

    /** RFC 7009, for keys and refresh tokens. Anything else has ended already. */
    async revoke(token: string): Promise<void> {
      if (token.startsWith(KEY_PREFIX)) await apiKeys.removeBySecret(token);
      else await deleteSession(db, refreshHash(token));
    },

    /** `undefined` for a refresh token that is wrong, has ended, or was replaced more than a minute ago. */
    async refresh(refreshToken: string): Promise<OAuthTokens | undefined> {
      const at = clock();
      const tokenHash = refreshHash(refreshToken);
      const user = await find(tokenHash, at);
      if (!user) return undefined;
      const next = await issue(user);
      await endSessionBy(db, tokenHash, at + REPLAY_MS);
      return next;
    },
  };
}

function codeHash(code: string, { clientId, redirectUri, challenge }: CodeBinding): string {
  return `code:${hashCredential(JSON.stringify([code, clientId, redirectUri, challenge]))}`;
}

function refreshHash(token: string): string {
  return `refresh:${hashCredential(token)}`;
}

/** The code carries what was allowed. Its hash covers that, so nobody can change it. */
function toText({ scopes, deviceName }: KeyRequest): string {
  return Buffer.from(JSON.stringify([deviceName ?? null, ...scopes])).toString('base64url');
}

function keyRequestIn(code: string): KeyRequest {
  const text = Buffer.from(code.slice(code.indexOf('.') + 1), 'base64url').toString();
  const [deviceName, ...scopes] = JSON.parse(text) as [string | null, ...Scope[]];
  return { deviceName: deviceName ?? undefined, scopes };
}
