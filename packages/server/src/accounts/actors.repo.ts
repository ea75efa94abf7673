import type { Db } from '../platform/db/database.ts';
import { keepRows } from '../platform/db/kept-rows.ts';
import { prepareQuery } from '../platform/db/prepared-query.ts';
import type { UserRow } from '../platform/db/schema/accounts.ts';

/** The owner of a credential: one row, read on every request that carries one. */
export type ActorRow = Pick<UserRow, 'id' | 'email' | 'name' | 'role' | 'status' | 'credentials_since'> & {
  /** Of an API key that is limited. */
  readonly scopes?: string | null;
};

const COLUMNS = [
  'users.id',
  'users.email',
  'users.name',
  'users.role',
  'users.status',
  'users.credentials_since',
] as const;

const actorById = keepRows(
  prepareQuery((db, { userId }: { userId: string }) =>
    db.selectFrom('users').select(COLUMNS).where('users.id', '=', userId),
  ),
  { by: 'userId', from: ['users'] },
);

export async function findActor(db: Db, userId: string): Promise<ActorRow | undefined> {
  return (await actorById(db, { userId }))[0];
}

const actorByKey = keepRows(
  prepareQuery((db, { secretHash }: { secretHash: string }) =>
    db
      .selectFrom('api_keys')
      .innerJoin('users', 'users.id', 'api_keys.user_id')
      .select([...COLUMNS, 'api_keys.scopes'])
      .where('api_keys.secret_hash', '=', secretHash),
  ),
  { by: 'secretHash', from: ['api_keys', 'users'] },
);

export async function findActorByKey(db: Db, secretHash: string): Promise<ActorRow | undefined> {
  return (await actorByKey(db, { secretHash }))[0];
}

const actorBySession = prepareQuery((db, { tokenHash, now }: { tokenHash: string; now: number }) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(COLUMNS)
    .where('sessions.token_hash', '=', tokenHash)
    .where('sessions.expires_at', '>', now)
    .whereRef('sessions.created_at', '>=', 'users.credentials_since'),
);

export async function findActorBySession(db: Db, tokenHash: string, now: number) {
  return (await actorBySession(db, { tokenHash, now }))[0];
}

const actorByIdentity = prepareQuery((db, { issuer, subject }: { issuer: string; subject: string }) =>
  db
    .selectFrom('outside_identities')
    .innerJoin('users', 'users.id', 'outside_identities.user_id')
    .select(COLUMNS)
    .where('outside_identities.issuer', '=', issuer)
    .where('outside_identities.subject', '=', subject),
);

export async function findActorByIdentity(db: Db, issuer: string, subject: string) {
  return (await actorByIdentity(db, { issuer, subject }))[0];
}

export async function insertIdentity(db: Db, identity: { issuer: string; subject: string; user_id: string }) {
  const result = await db
    .insertInto('outside_identities')
    .values(identity)
    .onConflict((conflict) => conflict.columns(['issuer', 'subject']).doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}
