import { setImmediate as turn } from 'node:timers/promises';
import { type SqlBool, sql } from 'kysely';

import type { Db } from '../../platform/db/database.ts';
import type { JobStatus } from '../../platform/db/schema/cloud.ts';
import { ENDED, OPEN } from './job-states.ts';

/** Which jobs a list is about. What its owner has hidden is in none. */
export interface JobFilter {
  readonly userId: string;
  readonly statuses: readonly JobStatus[];
  readonly workflowId?: string | undefined;
  readonly outputType?: string | undefined;
  readonly workflowName?: string | undefined;
  /** All of them. */
  readonly tags?: readonly string[] | undefined;
  /** Pairs as kept metadata has them: all of them. */
  readonly metadata?: readonly string[] | undefined;
  /** When it came: from then on, and before then. */
  readonly from?: number | undefined;
  readonly before?: number | undefined;
}

interface Sort {
  /** By arrival when absent. What never ran took no time; equal ones are in order of arrival. */
  readonly sortBy?: 'arrival' | 'duration';
  readonly order: 'asc' | 'desc';
}

export interface Page extends Sort {
  readonly limit: number;
  readonly offset: number;
  /** The last one of the page before, in order of arrival. */
  readonly after?: number | undefined;
}

/** Where a job stands in a list. */
interface Place {
  readonly seq: number;
  readonly execution_ms: number;
}

/** What lies behind one place, up to another. */
interface Stretch {
  readonly after?: Place | undefined;
  readonly upTo?: Place | undefined;
}

/**
 * So many entries of an index are looked at, whatever the filter, before others get their turn: on SQLite an offset of
 * 200 000 would otherwise stop everybody for a tenth of a second.
 */
export const SLICE = 2000;

/** The `seq` of each job of a page. Jobs that have not ended are few: the queue bounds them. */
export async function listSeqs(db: Db, filter: JobFilter, page: Page): Promise<number[]> {
  if (page.limit === 0) return [];
  const compare = comparing(page);
  const start = { after: page.after === undefined ? undefined : { seq: page.after, execution_ms: 0 } };
  const open = (await listOpen(db, filter)).toSorted(compare);
  if (!filter.statuses.some(isEnded)) {
    const behind = open.filter((place) => isWithin(place, start, compare));
    return behind.slice(page.offset, page.offset + page.limit).map(({ seq }) => seq);
  }
  const openSeqs = new Set(open.map(({ seq }) => seq));
  const found: Place[] = [];
  let toSkip = page.offset;
  const isNarrowed = !takesAllEnded(filter);
  const size = isNarrowed ? SLICE : Math.min(SLICE, page.offset + page.limit);
  for await (const slice of slicesOf(db, filter.userId, page, { ...start, size })) {
    const inside = open.filter((place) => isWithin(place, slice, compare));
    if (toSkip > 0) {
      const isKnown = slice.isFull && !isNarrowed;
      const count = inside.length + (isKnown ? size : await countSlice(db, filter, page, slice));
      if (count <= toSkip) {
        toSkip -= count;
        continue;
      }
    }
    const wanted = toSkip + page.limit - found.length;
    const ended = await placesOf(db, filter, page, slice)
      .limit(wanted + open.length)
      .execute();
    // One that was open and has ended since must not come twice.
    const others = ended.filter(({ seq }) => !openSeqs.has(seq));
    found.push(...[...inside, ...others].toSorted(compare).slice(toSkip, wanted));
    toSkip = 0;
    if (found.length === page.limit) break;
  }
  return found.map(({ seq }) => seq);
}

/** How many jobs the list has on all its pages. 100 000 of them take some 10 ms, in slices. */
export async function countJobs(db: Db, filter: JobFilter): Promise<number> {
  let count = (await listOpen(db, filter)).length;
  if (!filter.statuses.some(isEnded)) return count;
  const sort = { order: 'asc' } as const;
  for await (const slice of slicesOf(db, filter.userId, sort, {})) {
    count += await countSlice(db, filter, sort, slice);
  }
  return count;
}

/** Cuts a stretch of the user's jobs that have ended into slices, with a turn of the event loop between them. */
async function* slicesOf(
  db: Db,
  userId: string,
  sort: Sort,
  { after, upTo, size = SLICE }: Stretch & { readonly size?: number },
): AsyncGenerator<Stretch & { readonly isFull: boolean }> {
  let from = after;
  for (;;) {
    const ended = placesOf(db, { userId, statuses: ENDED }, sort, { after: from, upTo });
    const [last] = await ended
      .limit(1)
      .offset(size - 1)
      .execute();
    if (!last) {
      yield { after: from, upTo, isFull: false };
      return;
    }
    yield { after: from, upTo: last, isFull: true };
    from = last;
    await turn();
  }
}

async function listOpen(db: Db, filter: JobFilter): Promise<Place[]> {
  const statuses = filter.statuses.filter((status) => !isEnded(status));
  if (statuses.length === 0) return [];
  const rows = await shown(db, filter).select('seq').where('status', 'in', statuses).execute();
  return rows.map(({ seq }) => ({ seq, execution_ms: 0 }));
}

async function countSlice(db: Db, filter: JobFilter, sort: Sort, slice: Stretch): Promise<number> {
  const matching = endedOf(db, filter).where(within(slice, sort));
  const { count } = await matching
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

function placesOf(db: Db, filter: JobFilter, sort: Sort, stretch: Stretch) {
  return endedOf(db, filter)
    .where(within(stretch, sort))
    .select(['seq', sql<number>`execution_ms`.as('execution_ms')])
    .$if(sort.sortBy === 'duration', (query) => query.orderBy('execution_ms', sort.order))
    .orderBy('seq', sort.order);
}

function endedOf(db: Db, filter: JobFilter) {
  return (
    shown(db, filter)
      .where('ended_at', 'is not', null)
      // Not as the bare column: SQLite would take the index of the queue and sort all jobs in these states.
      .$if(!takesAllEnded({ statuses: filter.statuses }), (query) =>
        query.where(sql<JobStatus>`status || ''`, 'in', filter.statuses.filter(isEnded)),
      )
  );
}

function shown(db: Db, filter: JobFilter) {
  const { userId, workflowId, outputType, workflowName, tags = [], metadata = [], from, before } = filter;
  const found = db
    .selectFrom('jobs')
    .where('user_id', '=', userId)
    // As a constant: only then an index that has no others may be used.
    .where('hidden', '=', sql.lit(0))
    .$if(workflowId !== undefined, (query) => query.where('workflow_id', '=', workflowId ?? ''))
    .$if(outputType !== undefined, (query) => query.where('output_types', 'like', `% ${outputType} %`))
    .$if(workflowName !== undefined, (query) => query.where('workflow_name', '=', workflowName ?? ''))
    .$if(from !== undefined, (query) => query.where('created_at', '>=', from ?? 0))
    .$if(before !== undefined, (query) => query.where('created_at', '<', before ?? 0));
  // Exact and the same on both engines, unlike patterns.
  const tagged = tags.reduce(
    (query, tag) => query.where(sql<SqlBool>`replace(tags, ${`,${tag},`}, '') <> tags`),
    found,
  );
  return metadata.reduce(
    (query, pair) => query.where(sql<SqlBool>`replace(metadata, ${pair}, '') <> metadata`),
    tagged,
  );
}

function within({ after, upTo }: Stretch, { sortBy, order }: Sort) {
  const columns = sortBy === 'duration' ? sql`(execution_ms, seq)` : sql`seq`;
  const at = ({ execution_ms, seq }: Place) =>
    sortBy === 'duration' ? sql`(${execution_ms}, ${seq})` : sql`${seq}`;
  const [behind, notBehind] = order === 'asc' ? [sql`>`, sql`<=`] : [sql`<`, sql`>=`];
  const bounds = [
    ...(after ? [sql`${columns} ${behind} ${at(after)}`] : []),
    ...(upTo ? [sql`${columns} ${notBehind} ${at(upTo)}`] : []),
  ];
  return bounds.length > 0 ? sql<SqlBool>`${sql.join(bounds, sql` and `)}` : sql<SqlBool>`1 = 1`;
}

/** The same for jobs that were read already. */
function isWithin(place: Place, { after, upTo }: Stretch, compare: ReturnType<typeof comparing>): boolean {
  return (!after || compare(place, after) > 0) && (!upTo || compare(place, upTo) <= 0);
}

function comparing({ sortBy, order }: Sort) {
  const sign = order === 'asc' ? 1 : -1;
  return (left: Place, right: Place): number => {
    const longer = sortBy === 'duration' ? left.execution_ms - right.execution_ms : 0;
    return sign * (longer || left.seq - right.seq);
  };
}

function takesAllEnded({
  statuses,
  tags = [],
  metadata = [],
  ...filter
}: Omit<JobFilter, 'userId'>): boolean {
  const { workflowId, outputType, workflowName, from, before } = filter;
  const given = [workflowId, outputType, workflowName, from, before, ...tags, ...metadata];
  const isNarrowed = given.some((value) => value !== undefined);
  return !isNarrowed && ENDED.every((status) => statuses.includes(status));
}

function isEnded(status: JobStatus): boolean {
  return !OPEN.some((open) => open === status);
}
