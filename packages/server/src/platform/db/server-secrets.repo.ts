import { randomBytes } from 'node:crypto';

import { Secret } from '../secret.ts';
import type { Db } from './database.ts';

/** A random secret of this installation, made at the first call and shared by all servers on the database. */
export async function serverSecret(
  db: Db,
  name: string,
  { bytes, now }: { bytes: number; now: number },
): Promise<Secret<Uint8Array>> {
  await db
    .insertInto('server_secrets')
    .values({ name, value: randomBytes(bytes), created_at: now })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  const value = await findServerValue(db, name);
  if (!value) throw new Error(`the server secret ${name} was not written`);
  return new Secret(value);
}

export async function findServerValue(db: Db, name: string): Promise<Buffer | undefined> {
  const row = await db
    .selectFrom('server_secrets')
    .select('value')
    .where('name', '=', name)
    .executeTakeFirst();
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
