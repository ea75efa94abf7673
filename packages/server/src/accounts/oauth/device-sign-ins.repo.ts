import type { Db } from '../../platform/db/database.ts';
import type { DeviceSignInRow } from '../../platform/db/schema/accounts.ts';

/** False when one of the codes is taken. */
export async function insertDeviceSignIn(db: Db, row: DeviceSignInRow): Promise<boolean> {
  const result = await db
    .insertInto('device_sign_ins')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

/** How many have not expired, in all or of one network. */
export async function countOpen(db: Db, now: number, network?: string): Promise<number> {
  let query = db
    .selectFrom('device_sign_ins')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('expires_at', '>', now);
  if (network !== undefined) query = query.where('network', '=', network);
  return (await query.executeTakeFirstOrThrow()).count;
}

export async function findByDeviceCode(db: Db, hash: string): Promise<DeviceSignInRow | undefined> {
  return await db
    .selectFrom('device_sign_ins')
    .selectAll()
    .where('device_code_hash', '=', hash)
    .executeTakeFirst();
}

export async function findPendingByUserCode(db: Db, hash: string, now: number) {
  return await db
    .selectFrom('device_sign_ins')
    .selectAll()
    .where('user_code_hash', '=', hash)
    .where('status', '=', 'pending')
    .where('expires_at', '>', now)
    .executeTakeFirst();
}

/** False when it was decided before or has expired. */
export async function decide(
  db: Db,
  hash: string,
  decision: Pick<DeviceSignInRow, 'status' | 'user_id' | 'allowed_at'>,
  now: number,
): Promise<boolean> {
  const result = await db
    .updateTable('device_sign_ins')
    .set(decision)
    .where('user_code_hash', '=', hash)
    .where('status', '=', 'pending')
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** Records the poll. False when another poll was recorded since `row` was read. */
export async function notePoll(
  db: Db,
  row: Pick<DeviceSignInRow, 'device_code_hash' | 'polled_at'>,
  poll: Pick<DeviceSignInRow, 'polled_at' | 'interval_ms'>,
): Promise<boolean> {
  const result = await db
    .updateTable('device_sign_ins')
    .set(poll)
    .where('device_code_hash', '=', row.device_code_hash)
    .where('polled_at', '=', row.polled_at)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** True for one of several requests. */
export async function takeAllowed(db: Db, hash: string): Promise<boolean> {
  const result = await db
    .deleteFrom('device_sign_ins')
    .where('device_code_hash', '=', hash)
    .where('status', '=', 'allowed')
    .executeTakeFirst();
  return result.numDeletedRows === 1n;
}

export async function deleteDeviceSignInsBefore(db: Db, time: number): Promise<void> {
  await db.deleteFrom('device_sign_ins').where('expires_at', '<=', time).execute();
}
