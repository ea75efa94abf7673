import type { Db } from '../platform/db/database.ts';

/** What a credential leads to: one row, read on every request that carries one. */
export interface ActorRow {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly role: 'user' | 'admin';
  readonly status: 'active' | 'banned';
  readonly credentials_since: number;
}

const COLUMNS = [
  'users.id',
  'users.email',
  'users.name',
  'users.role',
  'users.status',
  'users.credentials_since',
] as const;

export async function findActor(db: Db, userId: string): Promise<ActorRow | undefined> {
  return await db.selectFrom('users').select(COLUMNS).where('users.id', '=', userId).executeTakeFirst();
}

export async function findActorByKey(db: Db, secretHash: string): Promise<ActorRow | undefined> {
  return await db
    .selectFrom('api_keys')
    .innerJoin('users', 'users.id', 'api_keys.user_id')
    .select(COLUMNS)
    .where('api_keys.secret_hash', '=', secretHash)
    .executeTakeFirst();
}

export async function findActorBySession(
  db: Db,
  tokenHash: string,
  now: number,
): Promise<ActorRow | undefined> {
  return await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(COLUMNS)
    .where('sessions.token_hash', '=', tokenHash)
    .where('sessions.expires_at', '>', now)
    .executeTakeFirst();
}

export async function findActorByIdentity(
  db: Db,
  issuer: string,
  subject: string,
): Promise<ActorRow | undefined> {
  return await db
    .selectFrom('outside_identities')
    .innerJoin('users', 'users.id', 'outside_identities.user_id')
    .select(COLUMNS)
    .where('outside_identities.issuer', '=', issuer)
    .where('outside_identities.subject', '=', subject)
    .executeTakeFirst();
}

/** False when that subject is known already. */
export async function insertIdentity(
  db: Db,
  identity: { issuer: string; subject: string; user_id: string },
): Promise<boolean> {
  const result = await db
    .insertInto('outside_identities')
    .values(identity)
    .onConflict((conflict) => conflict.columns(['issuer', 'subject']).doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}
