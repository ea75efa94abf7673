import type { Db } from '../platform/db/database.ts';
import type { UserRow } from '../platform/db/schema/accounts.ts';
import { findUserByEmail, findUsers, lockUser } from './users.repo.ts';

interface Person {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly isAdmin: boolean;
}

export type Directory = ReturnType<typeof createDirectory>;

export function createDirectory(db: Db) {
  return {
    findByEmail: async (email: string): Promise<Person | undefined> => {
      const user = await findUserByEmail(db, email);
      return user && toPerson(user);
    },
    findByIds: async (ids: readonly string[]): Promise<Person[]> => (await findUsers(db, ids)).map(toPerson),
    lock: lockUser,
  };
}

function toPerson({ id, name, email, role }: UserRow): Person {
  return { id, name, email, isAdmin: role === 'admin' };
}
