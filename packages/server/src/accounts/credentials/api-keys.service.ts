import { type ApiKey, type CreatedApiKey, type NewApiKey, parseScopes, type Scope } from '@atelier/contracts';
import { present } from '@atelier/contracts/present';

import { toIso } from '../../platform/clock.ts';
import { hashCredential } from '../../platform/credential-hash.ts';
import { type Db, withTransaction } from '../../platform/db/database.ts';
import type { ApiKeyRow } from '../../platform/db/schema/accounts.ts';
import { AppError, notFound } from '../../platform/errors/app-error.ts';
import type { Actor } from '../../platform/http/actor.ts';
import { assertOneLine } from '../../platform/http/one-line.ts';
import { requireScope } from '../../platform/http/scopes.ts';
import { newId, randomToken } from '../../platform/ids.ts';
import type { ServiceParts } from '../../platform/service-parts.ts';
import { lockUser } from '../users.repo.ts';
import * as repo from './api-keys.repo.ts';

/** Distinguishes an API key from a JWT. */
export const KEY_PREFIX = 'atelier_';
const SHOWN_CHARACTERS = KEY_PREFIX.length + 6;
const MAX_KEYS_PER_USER = 100;

export type ApiKeysService = ReturnType<typeof createApiKeysService>;

export function createApiKeysService({
  db,
  clock,
  onRevoked,
}: ServiceParts & { onRevoked: (userId: string) => void }) {
  const hasRoom = async (tx: Db, userId: string): Promise<boolean> =>
    (await repo.listApiKeys(tx, userId)).length < MAX_KEYS_PER_USER;

  const assertRoom = async (tx: Db, userId: string): Promise<void> => {
    if (await hasRoom(tx, userId)) return;
    throw new AppError(
      'account.key_limit',
      `An account has at most ${MAX_KEYS_PER_USER} API keys. Delete one.`,
    );
  };

  return {
    hasRoom,

    /** 409 when the user cannot have another key now. */
    assertRoom: async (userId: string): Promise<void> => await assertRoom(db, userId),

    /** The secret is only in the answer: the database keeps its hash. A limited key cannot create one with more scopes. */
    async create(
      { userId, scopes: own }: Pick<Actor, 'userId' | 'scopes'>,
      wanted: Omit<NewApiKey, 'scopes'> & { scopes?: readonly Scope[] | undefined },
      tx = db,
    ): Promise<CreatedApiKey> {
      const { name, description, scopes = own } = wanted;
      assertOneLine(name, 'The name of an API key');
      for (const scope of scopes ?? []) requireScope({ ...(own && { scopes: own }) }, scope);
      const plaintext = `${KEY_PREFIX}${randomToken(32)}`;
      const row: ApiKeyRow = {
        id: newId(),
        user_id: userId,
        name,
        description: description ?? null,
        key_prefix: plaintext.slice(0, SHOWN_CHARACTERS),
        secret_hash: hashCredential(plaintext),
        scopes: scopes?.join(' ') ?? null,
        created_at: clock(),
      };
      await withTransaction(tx, async (inner) => {
        await lockUser(inner, userId);
        await assertRoom(inner, userId);
        await repo.insertApiKey(inner, row);
      });
      return { api_key: { ...toApiKey(row), plaintext_key: plaintext } };
    },

    async list(userId: string): Promise<ApiKey[]> {
      return (await repo.listApiKeys(db, userId)).map(toApiKey);
    },

    /** For whoever has the key itself, whatever its scopes. Does nothing when there is no such key. */
    async removeBySecret(secret: string): Promise<void> {
      const userId = await repo.deleteApiKeyByHash(db, hashCredential(secret));
      if (userId !== undefined) onRevoked(userId);
    },

    async remove(userId: string, id: string): Promise<void> {
      if (!(await repo.deleteApiKey(db, userId, id))) throw notFound('API key', id);
      onRevoked(userId);
    },
  };
}

function toApiKey(row: ApiKeyRow): ApiKey {
  return {
    id: row.id,
    name: row.name,
    ...present({ description: row.description }),
    ...(row.scopes === null ? {} : { scopes: [...parseScopes(row.scopes)] }),
    key_prefix: row.key_prefix,
    created_at: toIso(row.created_at),
  };
}
