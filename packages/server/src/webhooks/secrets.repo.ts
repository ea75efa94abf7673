import type { Insertable } from 'kysely';

import type { Db } from '../platform/db/database.ts';
import type { WebhookSecretRow } from '../platform/db/schema/webhooks.ts';

/** Does nothing when the account has a current one already. */
export async function insertCurrentSecret(db: Db, secret: Insertable<WebhookSecretRow>): Promise<void> {
  await db
    .insertInto('webhook_secrets')
    .values(secret)
    .onConflict((conflict) => conflict.column('user_id').where('retires_at', 'is', null).doNothing())
    .execute();
}

/** Newest first. */
export async function listLiveSecrets(db: Db, userIds: readonly string[], now: number) {
  return await db
    .selectFrom('webhook_secrets')
    .selectAll()
    .where('user_id', 'in', userIds)
    .where((eb) => eb.or([eb('retires_at', 'is', null), eb('retires_at', '>', now)]))
    .orderBy('seq', 'desc')
    .execute();
}

export async function retireCurrentSecret(db: Db, userId: string, retiresAt: number): Promise<void> {
  await db
    .updateTable('webhook_secrets')
    .set({ retires_at: retiresAt })
    .where('user_id', '=', userId)
    .where('retires_at', 'is', null)
    .execute();
}

export async function deleteRetiredSecrets(db: Db, userId: string, now: number): Promise<void> {
  await db
    .deleteFrom('webhook_secrets')
    .where('user_id', '=', userId)
    .where('retires_at', '<=', now)
    .execute();
}

export async function listSealedAfter(db: Db, seq: number, limit: number) {
  return await db
    .selectFrom('webhook_secrets')
    .select(['seq', 'user_id', 'sealed'])
    .where('seq', '>', seq)
    .orderBy('seq')
    .limit(limit)
    .execute();
}

export async function setSealed(tx: Db, seq: number, sealed: Uint8Array): Promise<void> {
  await tx.updateTable('webhook_secrets').set({ sealed }).where('seq', '=', seq).execute();
}

export async function deleteSecretsOf(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('webhook_secrets').where('user_id', '=', userId).execute();
}
