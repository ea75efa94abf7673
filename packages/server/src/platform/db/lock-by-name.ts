import { sql } from 'kysely';

import { type Db, engineOf } from './database.ts';

/**
 * Locks a name until the transaction ends, for rules without a row to lock. On SQLite only one transaction writes at a time
 * anyway.
 */
export async function lockByName(tx: Db, name: string): Promise<void> {
  if (engineOf(tx) === 'sqlite') return;
  await sql`select ${lockExpression(name)}`.execute(tx);
}

/** The same as part of a statement on PostgreSQL. */
export function lockExpression(name: string) {
  return sql`pg_advisory_xact_lock(hashtextextended(concat('atelier:', cast(${name} as text)), 0))`;
}
