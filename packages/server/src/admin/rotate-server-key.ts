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

/** Replaces a key, and encrypts again what is encrypted with it, in one transaction. No server may run. */
export async function rotateServerKey(
  db: Db,
  name: ServerKey,
  { keepsOld, by }: { readonly keepsOld: boolean; readonly by: string },
): Promise<void> {
  const audit = createAudit({ db, clock: systemClock });
  const now = systemClock();
  await withTransaction(db, async (tx) => {
    const present = await findServerValue(tx, name);
    if (!present) throw new CommandFailed(`There is no key ${name} yet. A server makes it when it starts.`);
    const value = randomBytes(KEY_BYTES);
    const [from, to] = [new Secret<Uint8Array>(present), new Secret<Uint8Array>(value)];
    const reseal = (owner: string, sealed: Uint8Array) => sealKey(to, owner, openKey(from, owner, sealed));
    if (name === 'webhook-secrets') {
      const list = async (last: number) => await webhookSecrets.listSealedAfter(tx, last, BATCH_SIZE);
      await forEachRow(list, async ({ seq, user_id: owner, sealed }) => {
        await webhookSecrets.setSealed(tx, seq, reseal(owner, sealed));
      });
    }
    if (name === 'partner-keys') {
      const list = async (last: number) => await partnerKeys.listSealedAfter(tx, last, BATCH_SIZE);
      await forEachRow(list, async ({ seq, id, partner_key: sealed }) => {
        if (sealed) await partnerKeys.setSealed(tx, seq, reseal(id, sealed));
      });
    }
    await replaceServerSecret(tx, name, { value, now, keepsOld });
    await audit.add(tx, { userId: `operator:${by}`, isOperator: true }, 'key.rotate', `key:${name}`, {
      old_key: keepsOld ? 'kept' : 'ended',
    });
  });
}

/** Ends everything that they have signed. A server makes a new one when it starts. No server may run. */
export async function endSigningKeys(db: Db, by: string): Promise<void> {
  const audit = createAudit({ db, clock: systemClock });
  await withTransaction(db, async (tx) => {
    const keys = await listSigningKeys(tx);
    await deleteSigningKeys(
      tx,
      keys.map(({ id }) => id),
    );
    await audit.add(tx, { userId: `operator:${by}`, isOperator: true }, 'key.rotate', 'key:signing-keys', {
      old_key: 'ended',
    });
  });
}

async function forEachRow<Row extends { readonly seq: number }>(
  listAfter: (seq: number) => Promise<readonly Row[]>,
  change: (row: Row) => Promise<void>,
): Promise<void> {
  let last: number | undefined = 0;
  while (last !== undefined) {
    const rows: readonly Row[] = await listAfter(last);
    for (const row of rows) await change(row);
    last = rows.at(-1)?.seq;
  }
}
