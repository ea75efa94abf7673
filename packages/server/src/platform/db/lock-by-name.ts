import { sql } from 'kysely';

import { type Db, engineOf } from './database.ts';

/**
 * Until the transaction ends, nobody else on this database is past this point with the same name: for rules that
 * no single row stands for. On SQLite the transaction itself keeps everybody else from writing.
 */
export async function lockByName(tx: Db, name: string): Promise<void> {
  if (engineOf(tx) === 'sqlite') return;
  await sql`select ${lockExpression(name)}`.execute(tx);
}

/** The same within a statement on PostgreSQL. */
export function lockExpression(name: string) {
  return sql`pg_advisory_xact_lock(hashtextextended(concat('atelier:', cast(${name} as text)), 0))`;
}
