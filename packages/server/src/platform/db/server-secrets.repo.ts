import { randomBytes } from 'node:crypto';

import { Secret } from '../secret.ts';
import type { Db } from './database.ts';

/** As long as the longest-lived link, see `vendor-callbacks.ts`. */
export const OLD_SECRET_MS = 72 * 3_600_000;

const SECRET_BYTES = 32;

/** `rotate-key` has a command for each of them. */
export type ServerKey =
  | 'device-codes'
  | 'file-links'
  | 'operators'
  | 'outside-sign-ins'
  | 'pack-uploads'
  | 'partner-keys'
  | 'sign-in-addresses'
  | 'storage-links'
  | 'upload-grants'
  | 'vendor-callbacks'
  | 'webhook-secrets';

/** A random secret, created at the first call and shared by all servers on the database. */
export async function serverSecret(db: Db, name: ServerKey, now: number): Promise<Secret<Uint8Array>> {
  await db
    .insertInto('server_secrets')
    .values({ name, value: randomBytes(SECRET_BYTES), created_at: now })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  const value = await findServerValue(db, name);
  if (!value) throw new Error(`the server secret ${name} was not written`);
  const old = await findRow(db, oldName(name));
  const until = (old?.created_at ?? 0) + OLD_SECRET_MS;
  return old && until > now
    ? new Secret(value, { secret: new Secret(Buffer.from(old.value)), until })
    : new Secret(value);
}

/** Replaces a secret. With `keepsOld`, what was made with the old one stays valid for `OLD_SECRET_MS`. */
export async function replaceServerSecret(
  tx: Db,
  name: ServerKey,
  { value, now, keepsOld }: { readonly value: Uint8Array; readonly now: number; readonly keepsOld: boolean },
): Promise<void> {
  const present = await findRow(tx, name);
  await tx
    .deleteFrom('server_secrets')
    .where('name', 'in', [name, oldName(name)])
    .execute();
  await insertServerValue(tx, { name, value, now });
  if (present && keepsOld) await insertServerValue(tx, { name: oldName(name), value: present.value, now });
}

export async function listServerSecrets(db: Db) {
  return await db.selectFrom('server_secrets').select(['name', 'created_at']).execute();
}

export function oldName(name: ServerKey): string {
  return `${name}.old`;
}

async function findRow(db: Db, name: string) {
  return await db.selectFrom('server_secrets').selectAll().where('name', '=', name).executeTakeFirst();
}

export async function findServerValue(db: Db, name: string): Promise<Buffer | undefined> {
  const row = await findRow(db, name);
  return row && Buffer.from(row.value);
}

export async function insertServerValue(
  db: Db,
  { name, value, now }: { readonly name: string; readonly value: Uint8Array; readonly now: number },
): Promise<void> {
  await db.insertInto('server_secrets').values({ name, value, created_at: now }).execute();
}

export async function updateServerValue(
  db: Db,
  { name, value }: { readonly name: string; readonly value: Uint8Array },
): Promise<void> {
  await db.updateTable('server_secrets').set({ value }).where('name', '=', name).execute();
}

export async function deleteServerValue(db: Db, name: string): Promise<void> {
  await db.deleteFrom('server_secrets').where('name', '=', name).execute();
}
