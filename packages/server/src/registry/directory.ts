import type { Db } from '../platform/db/database.ts';

export interface Directory {
  findByEmail(email: string): Promise<Person | undefined>;
  /** Holds the account until the transaction ends, so that rules which count what it has cannot be raced. */
  lock(tx: Db, userId: string): Promise<void>;
  /** In no particular order; unknown ids are left out. */
  findByIds(ids: readonly string[]): Promise<Person[]>;
}

export interface Person {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly isAdmin: boolean;
}
