import { sql } from 'kysely';

import type { Db } from '../../platform/db/database.ts';
import type { JobStatus } from '../../platform/db/schema/cloud.ts';
import { ENDED, OPEN } from './job-states.ts';
import { LISTED, type ListedJob } from './jobs.repo.ts';

/** Which jobs a list is about. What its owner has hidden is in none. */
export interface JobFilter {
  readonly userId: string;
  readonly statuses: readonly JobStatus[];
  readonly workflowId?: string | undefined;
  readonly outputType?: string | undefined;
}

export interface Page {
  readonly order: 'asc' | 'desc';
  readonly limit: number;
  readonly offset: number;
  /** The last one of the page before. */
  readonly after?: number | undefined;
}

const duration = sql<number>`coalesce(execution_ms, 0)`;

/** Places of jobs in order of arrival. */
export async function listSeqs(db: Db, filter: JobFilter, page: Page): Promise<number[]> {
  const rows = await seqsByArrival(db, filter, page).execute();
  return rows.map(({ seq }) => seq);
}

export async function listByArrival(db: Db, filter: JobFilter, page: Page): Promise<ListedJob[]> {
  return await db
    .selectFrom('jobs')
    .select(LISTED)
    .where('seq', 'in', seqsByArrival(db, filter, page))
    .orderBy('seq', page.order)
    .execute();
}

/** By how long they ran; what never ran took no time. */
export async function listByDuration(db: Db, filter: JobFilter, page: Page): Promise<ListedJob[]> {
  const { order, limit, offset } = page;
  const seqs = shown(db, filter)
    .select('seq')
    .where('status', 'in', filter.statuses)
    .orderBy(duration, order)
    .orderBy('seq', order)
    .limit(limit)
    .offset(offset);
  return await db
    .selectFrom('jobs')
    .select(LISTED)
    .where('seq', 'in', db.selectFrom(seqs.as('found')).select('found.seq'))
    .orderBy(duration, order)
    .orderBy('seq', order)
    .execute();
}

/** How many there are in each state, within a stretch of arrivals. */
export async function countByStatus(
  db: Db,
  filter: JobFilter,
  { above, upTo }: { above?: number; upTo?: number } = {},
): Promise<ReadonlyMap<JobStatus, number>> {
  const rows = await shown(db, filter)
    .select((eb) => ['status', eb.fn.countAll<number>().as('count')])
    .where('status', 'in', filter.statuses)
    .$if(above !== undefined, (query) => query.where('seq', '>', above ?? 0))
    .$if(upTo !== undefined, (query) => query.where('seq', '<=', upTo ?? 0))
    .groupBy('status')
    .execute();
  return new Map(rows.map(({ status, count }) => [status, count]));
}

/** Up to where nothing changes any more but by being hidden or removed: before the oldest job that has not ended. */
export async function settledUpTo(db: Db, userId: string): Promise<number> {
  const one = { limit: 1, offset: 0 } as const;
  const [newest] = await listSeqs(db, { userId, statuses: [...OPEN, ...ENDED] }, { order: 'desc', ...one });
  const [oldestOpen] = await listSeqs(db, { userId, statuses: OPEN }, { order: 'asc', ...one });
  return oldestOpen === undefined ? (newest ?? 0) : oldestOpen - 1;
}

/** One range of the index for each state: neither engine would merge them, and a sort reads all of a user's jobs. */
function seqsByArrival(db: Db, filter: JobFilter, { order, limit, offset, after }: Page) {
  const ranges = filter.statuses.map((status) =>
    shown(db, filter)
      .select('seq')
      .where('status', '=', status)
      .$if(after !== undefined, (query) => query.where('seq', order === 'asc' ? '>' : '<', after ?? 0))
      .orderBy('seq', order)
      .limit(limit + offset),
  );
  const [first, ...others] = ranges.map((range) => db.selectFrom(range.as('range')).select('range.seq'));
  if (!first) throw new Error('a list of jobs in no state');
  const all = others.reduce((joined, range) => joined.unionAll(range), first);
  return db
    .selectFrom(all.as('found'))
    .select('found.seq')
    .orderBy('found.seq', order)
    .limit(limit)
    .offset(offset);
}

function shown(db: Db, { userId, workflowId, outputType }: JobFilter) {
  return (
    db
      .selectFrom('jobs')
      .where('user_id', '=', userId)
      // As a constant: only then the index `jobs_by_user`, which has no others, may be used.
      .where('hidden', '=', sql.lit(0))
      .$if(workflowId !== undefined, (query) => query.where('workflow_id', '=', workflowId ?? ''))
      .$if(outputType !== undefined, (query) => query.where('output_types', 'like', `% ${outputType} %`))
  );
}
