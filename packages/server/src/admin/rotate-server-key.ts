import { randomBytes } from 'node:crypto';

import { deleteSigningKeys, listSigningKeys } from '../accounts/credentials/signing-keys.repo.ts';
import * as partnerKeys from '../cloud/partner-keys.repo.ts';
import { createAudit } from '../platform/audit/audit.service.ts';
import { systemClock } from '../platform/clock.ts';
import { type Db, withTransaction } from '../platform/db/database.ts';
import { findServerValue, replaceServerSecret, type ServerKey } from '../platform/db/server-secrets.repo.ts';
import { openKey, sealKey } from '../platform/sealed-key.ts';
import { Secret } from '../platform/secret.ts';
import * as webhookSecrets from '../webhooks/secrets.repo.ts';
import { CommandFailed } from './command.ts';

const KEY_BYTES = 32;
const BATCH_SIZE = 200;

interface Rotation {
  readonly keepsOld: boolean;
  readonly by: string;
}

type Reseal = (owner: string, sealed: Uint8Array) => Uint8Array;

/** Replaces a key, and encrypts anew what lies encrypted with it, in one transaction. No server may run. */
export async function rotateServerKey(db: Db, name: ServerKey, { keepsOld, by }: Rotation): Promise<void> {
  const audit = createAudit({ db, clock: systemClock });
  const now = systemClock();
  await withTransaction(db, async (tx) => {
    const present = await findServerValue(tx, name);
    if (!present) throw new CommandFailed(`There is no key ${name} yet. A server makes it when it starts.`);
    const value = randomBytes(KEY_BYTES);
    const [from, to] = [new Secret<Uint8Array>(present), new Secret<Uint8Array>(value)];
    const reseal: Reseal = (owner, sealed) => sealKey(to, owner, openKey(from, owner, sealed));
    if (name === 'webhook-secrets') await resealWebhookSecrets(tx, reseal);
    if (name === 'partner-keys') await resealPartnerKeys(tx, reseal);
    await replaceServerSecret(tx, name, { value, now, keepsOld });
    await audit.add(tx, { userId: `operator:${by}`, isOperator: true }, 'key.rotate', `key:${name}`, {
      old_key: keepsOld ? 'kept' : 'ended',
    });
  });
}

/** Whatever they have signed ends. A server makes a new one when it starts. No server may run. */
export async function endSigningKeys(db: Db, by: string): Promise<void> {
  const audit = createAudit({ db, clock: systemClock });
  await withTransaction(db, async (tx) => {
    await deleteSigningKeys(
      tx,
      (await listSigningKeys(tx)).map(({ id }) => id),
    );
    await audit.add(tx, { userId: `operator:${by}`, isOperator: true }, 'key.rotate', 'key:signing-keys', {
      old_key: 'ended',
    });
  });
}

async function resealWebhookSecrets(tx: Db, reseal: Reseal): Promise<void> {
  for (let last = 0; ; ) {
    const rows = await webhookSecrets.listSealedAfter(tx, last, BATCH_SIZE);
    for (const { seq, user_id: owner, sealed } of rows)
      await webhookSecrets.setSealed(tx, seq, reseal(owner, sealed));
    if (rows.length < BATCH_SIZE) return;
    last = rows.at(-1)?.seq ?? last;
  }
}

async function resealPartnerKeys(tx: Db, reseal: Reseal): Promise<void> {
  for (let last = 0; ; ) {
    const rows = await partnerKeys.listSealedAfter(tx, last, BATCH_SIZE);
    for (const { seq, id, partner_key: sealed } of rows)
      if (sealed) await partnerKeys.setSealed(tx, seq, reseal(id, sealed));
    if (rows.length < BATCH_SIZE) return;
    last = rows.at(-1)?.seq ?? last;
  }
}
