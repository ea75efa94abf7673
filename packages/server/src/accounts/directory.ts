import type { Db } from '../platform/db/database.ts';
import type { UserRow } from '../platform/db/schema/accounts.ts';
import { findUserByEmail, findUsers, lockUser } from './users.repo.ts';

export function createDirectory(db: Db) {
  return {
    findByEmail: async (email: string) => {
      const user = await findUserByEmail(db, email);
      return user && toPerson(user);
    },
    findByIds: async (ids: readonly string[]) => (await findUsers(db, ids)).map(toPerson),
    lock: lockUser,
  };
}

function toPerson({ id, name, email, role }: UserRow) {
  return { id, name, email, isAdmin: role === 'admin' };
}
