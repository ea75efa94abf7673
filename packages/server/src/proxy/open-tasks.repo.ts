import { sql } from 'kysely';

import type { Db } from '../platform/db/database.ts';

export interface OpenTasks {
  readonly adapter: string;
  readonly isPutOff: boolean;
  readonly due: number;
  /** A server or the vendor has them, or they wait for another try. */
  readonly later: number;
}

/** Reads the index `tasks_due`, which has no task that has ended; states and kinds would need the rows. */
export async function countOpenTasks(db: Db, now: number): Promise<OpenTasks[]> {
  const rows = await db
    .selectFrom('tasks')
    .select(['adapter', 'is_put_off'])
    .select([
      sql<number>`count(case when due_at <= ${now} then 1 end)`.as('due'),
      sql<number>`count(case when due_at > ${now} then 1 end)`.as('later'),
    ])
    .where('due_at', 'is not', null)
    // The first columns of the index, in its order: nothing has to be sorted.
    .groupBy(['stage', 'adapter', 'is_put_off'])
    .execute();
  return rows.map(({ adapter, is_put_off, due, later }) => ({
    adapter,
    isPutOff: is_put_off === 1,
    due,
    later,
  }));
}
