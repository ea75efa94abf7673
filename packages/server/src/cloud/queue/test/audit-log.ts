import { sql } from 'kysely';

import type { Db } from '../../../platform/db/database.ts';

/** One change of a job's state, in the order in which they were committed for each user. */
export interface Change {
  readonly jobId: string;
  readonly seq: number;
  readonly userId: string;
  readonly from: string;
  readonly to: string;
  readonly attempt: number;
}

/** From now on PostgreSQL itself writes down every change of a job's state. */
export async function keepAuditLog(db: Db): Promise<void> {
  await sql`create unlogged table audit (
    at bigint generated always as identity, job_id text, seq bigint, user_id text, before text, after text, attempt bigint
  )`.execute(db);
  await sql`create function note_change() returns trigger language plpgsql as $$ begin
    insert into audit (job_id, seq, user_id, before, after, attempt)
      values (new.id, new.seq, new.user_id, old.status, new.status, new.attempt);
    return null;
  end $$`.execute(db);
  await sql`create trigger note_change after update on jobs for each row
    when (old.status is distinct from new.status) execute function note_change()`.execute(db);
}

export async function readAuditLog(db: Db): Promise<readonly Change[]> {
  const { rows } = await sql<Change>`select job_id as "jobId", seq, user_id as "userId", before as "from",
    after as "to", attempt from audit order by at`.execute(db);
  return rows;
}
