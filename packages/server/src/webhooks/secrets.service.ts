import { randomBytes } from 'node:crypto';

import { type Audit, userSubject } from '../platform/audit/audit.service.ts';
import { type Db, withTransaction } from '../platform/db/database.ts';
import { lockByName } from '../platform/db/lock-by-name.ts';
import { notFound } from '../platform/errors/app-error.ts';
import { type Actor, requireAdmin } from '../platform/http/actor.ts';
import { openKey, sealKey } from '../platform/sealed-key.ts';
import type { Secret } from '../platform/secret.ts';
import type { ServiceParts } from '../platform/service-parts.ts';
import type { FindPeople } from './endpoints.service.ts';
import * as repo from './secrets.repo.ts';

const KEY_BYTES = 32;
const OVERLAP_MS = 24 * 3_600_000;
/** Many rotations in a day must not make a header that receivers refuse. */
const MAX_SIGNING_KEYS = 5;

interface Parts extends ServiceParts {
  readonly serverKey: Secret<Uint8Array>;
  readonly audit: Pick<Audit, 'add'>;
  readonly findPeople: FindPeople;
  readonly onError: (error: unknown) => void;
}

export type SecretsService = ReturnType<typeof createSecretsService>;

/** Each account has one secret for all its webhooks. */
export function createSecretsService({ db, clock, serverKey, audit, findPeople, onError }: Parts) {
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
        // A damaged key of one account must not delay the others.
        onError(error);
      }
    }
    return keys;
  };

  const replace = async (tx: Db, userId: string, { endsAtOnce }: { readonly endsAtOnce: boolean }) => {
    const { key, row } = make(userId);
    await lockByName(tx, `webhook-secret:${userId}`);
    const now = clock();
    if (endsAtOnce) await repo.deleteSecretsOf(tx, userId);
    else await repo.deleteRetiredSecrets(tx, userId, now);
    await repo.retireCurrentSecret(tx, userId, now + OVERLAP_MS);
    await repo.insertCurrentSecret(tx, { ...row, created_at: now });
    return toText(key);
  };

  return {
    /** The keys that sign now, the current one first. Leaves out accounts whose keys cannot be read. */
    keysOf,
    /** As receivers are given it. */
    async current(userId: string): Promise<string> {
      const key = (await keysOf([userId])).get(userId)?.[0];
      if (!key) throw new Error('the webhook secret of an account cannot be read');
      return toText(key);
    },
    /** Messages are signed with the old secret too for a day. */
    rotate: async (userId: string): Promise<string> =>
      await withTransaction(db, async (tx) => await replace(tx, userId, { endsAtOnce: false })),

    /** An administrator replaces the secret of an account without seeing it. */
    async rotateFor(actor: Actor, userId: string, options: { readonly endsAtOnce: boolean }): Promise<void> {
      if ((await findPeople([userId])).length === 0) throw notFound('user', userId);
      requireAdmin(actor);
      await withTransaction(db, async (tx) => {
        await replace(tx, userId, options);
        await audit.add(tx, actor, 'user.webhook_secret', userSubject(userId));
      });
    },
  };
}

function toText(key: Uint8Array): string {
  return `whsec_${Buffer.from(key).toString('base64')}`;
}
