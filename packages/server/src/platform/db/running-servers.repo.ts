import { sql } from 'kysely';

import { EVENTS_CONNECTION } from '../bus/postgres-link.ts';
import type { Db } from './database.ts';

/** How many servers run on this PostgreSQL. Each has one connection for events. */
export async function countRunningServers(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from pg_stat_activity
    where datname = current_database() and application_name = ${EVENTS_CONNECTION}`.execute(db);
  return rows[0]?.count ?? 0;
}
