import { randomBytes } from 'node:crypto';

import { type Db, withTransaction } from '../platform/db/database.ts';
import { lockByName } from '../platform/db/lock-by-name.ts';
import { openKey, sealKey } from '../platform/sealed-key.ts';
import type { Secret } from '../platform/secret.ts';
import type { ServiceParts } from '../platform/service-parts.ts';
import * as repo from './secrets.repo.ts';

const KEY_BYTES = 32;
const OVERLAP_MS = 24 * 3_600_000;
/** Whoever rotates all day must not make headers that receivers refuse. */
const MAX_SIGNING_KEYS = 5;

interface Parts extends ServiceParts {
  readonly serverKey: Secret<Uint8Array>;
  readonly onError: (error: unknown) => void;
}

interface RotateOptions {
  readonly note?: (tx: Db) => Promise<void>;
  readonly endsAtOnce?: boolean;
}

export type SecretsService = ReturnType<typeof createSecretsService>;

/** Each account has one secret for all its webhooks. */
export function createSecretsService({ db, clock, serverKey, onError }: Parts) {
  const make = (userId: string) => {
    const key = randomBytes(KEY_BYTES);
    const row = { user_id: userId, sealed: sealKey(serverKey, userId, key), retires_at: null };
    return { key, row };
  };

  const listLive = async (userIds: readonly string[]) => {
    const live = Map.groupBy(await repo.listLiveSecrets(db, userIds, clock()), (row) => row.user_id);
    const missing = userIds.filter((userId) => !live.get(userId)?.some((row) => row.retires_at === null));
    if (missing.length === 0) return live;
    for (const userId of missing) {
      await repo.insertCurrentSecret(db, { ...make(userId).row, created_at: clock() });
    }
    return Map.groupBy(await repo.listLiveSecrets(db, userIds, clock()), (row) => row.user_id);
  };

  const keysOf = async (userIds: readonly string[]) => {
    const live = await listLive(userIds);
    const keys = new Map<string, readonly Uint8Array[]>();
    for (const [userId, rows] of live) {
      try {
        const opened = rows.slice(0, MAX_SIGNING_KEYS).map((row) => openKey(serverKey, userId, row.sealed));
        keys.set(userId, opened);
      } catch (error) {
        // One account's damage must not hold up the others.
        onError(error);
      }
    }
    return keys;
  };

  return {
    /** The keys that sign now, the current one first. An account whose keys cannot be read is left out. */
    keysOf,
    /** The text that receivers are given. Made at the first question. */
    async current(userId: string): Promise<string> {
      const key = (await keysOf([userId])).get(userId)?.[0];
      if (!key) throw new Error('the webhook secret of an account cannot be read');
      return toText(key);
    },
    /** A new one from now on; messages are signed with the old one too for a day, unless it ends at once. `note` is part of the transaction. */
    async rotate(userId: string, { note, endsAtOnce = false }: RotateOptions = {}): Promise<string> {
      const { key, row } = make(userId);
      await withTransaction(db, async (tx) => {
        await lockByName(tx, `webhook-secret:${userId}`);
        const now = clock();
        if (endsAtOnce) await repo.deleteSecretsOf(tx, userId);
        else await repo.deleteRetiredSecrets(tx, userId, now);
        await repo.retireCurrentSecret(tx, userId, now + OVERLAP_MS);
        await repo.insertCurrentSecret(tx, { ...row, created_at: now });
        await note?.(tx);
      });
      return toText(key);
    },
  };
}

function toText(key: Uint8Array): string {
  return `whsec_${Buffer.from(key).toString('base64')}`;
}
