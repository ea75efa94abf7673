import { type SqlBool, sql } from 'kysely';

import { type Db, engineOf } from '../../platform/db/database.ts';
import { likePattern } from '../../platform/db/like-pattern.ts';
import type { JobStatus } from '../../platform/db/schema/cloud.ts';
import { slowRead } from '../../platform/db/slow-read.ts';
import { pairHash, tagHash } from '../filter-hashes.ts';
import { ENDED, OPEN } from './job-states.ts';
import { keepCount, keepsCounts, keptCount } from './kept-counts.ts';

/** Which jobs a list contains. Hidden jobs are in none. */
export interface JobFilter {
  readonly userId: string;
  readonly statuses: readonly JobStatus[];
  readonly workflowId?: string | undefined;
  readonly outputType?: string | undefined;
  readonly workflowName?: string | undefined;
  /** A job must have all of them. */
  readonly tags?: readonly string[] | undefined;
  /** Pairs in the form of stored metadata. A job must have all of them. */
  readonly metadata?: readonly string[] | undefined;
  /** Bounds of the time of arrival: inclusive and exclusive. */
  readonly from?: number | undefined;
  readonly before?: number | undefined;
}

interface Sort {
  /** By arrival when absent. Jobs that never ran have a duration of 0; ties are in order of arrival. */
  readonly sortBy?: 'arrival' | 'duration';
  readonly order: 'asc' | 'desc';
}

export interface Page extends Sort {
  readonly limit: number;
  readonly offset: number;
  /** The `seq` of the last job of the previous page, in order of arrival. */
  readonly after?: number | undefined;
}

/** The position of a job in a list. */
interface Place {
  readonly seq: number;
  readonly execution_ms: number;
}

/** Up to this many index entries are read on the event loop, which takes less than a millisecond. */
const SHORT = 2000;

/** From this offset on, it pays to count the list first, because the page may be closer to its end. */
const DEEP = 150_000;

/** The `seq` of each job on a page, and the number of jobs on all pages. */
export async function listJobs(
  db: Db,
  filter: JobFilter,
  page: Page,
): Promise<{ readonly seqs: readonly number[]; readonly total: number }> {
  const { revision, counts: known } = await countAhead(db, filter, page);
  const isFirst = page.after === undefined && page.offset === 0;
  const [seqs, counted] = await Promise.all([
    listSeqs(db, filter, page, known?.ended),
    known ?? (isFirst ? undefined : countJobs(db, filter)),
  ]);
  // A first page that is also the last needs no count.
  if (!counted && seqs.length < page.limit) {
    // Finding nothing took as long as a count.
    if (seqs.length === 0 && revision !== undefined) keepCount(db, filter, { revision, ended: 0 });
    return { seqs, total: seqs.length };
  }
  const { open, ended } = counted ?? (await countJobs(db, filter));
  return { seqs, total: open + ended };
}

/** The `seq` of each job on a page. */
export async function listPage(db: Db, filter: JobFilter, page: Page): Promise<number[]> {
  const { counts } = page.offset > SHORT ? await countAhead(db, filter, page) : {};
  return await listSeqs(db, filter, page, counts?.ended);
}

interface Ahead {
  /** Of the user's jobs, where counts are kept. */
  readonly revision?: number;
  readonly counts?: JobCounts;
}

/** The numbers of jobs, if they are kept or worth counting before the page is read. */
async function countAhead(db: Db, filter: JobFilter, { offset }: Page): Promise<Ahead> {
  const kept = await readKept(db, filter);
  return kept.counts || offset <= DEEP ? kept : { counts: await countJobs(db, filter) };
}

/** The `seq` of each job on a page. With the number of ended jobs, the page is read from the nearer end of the list. */
export async function listSeqs(
  db: Db,
  filter: JobFilter,
  page: Page,
  endedCount?: number,
): Promise<number[]> {
  if (page.limit === 0) return [];
  const compare = comparing(page);
  const open = (await listOpen(db, filter, page)).toSorted(compare);
  // Wherever the open jobs are in the list, the page lies within this range of ended ones.
  const skipped = Math.max(0, page.offset - open.length);
  const limit = page.limit + page.offset - skipped;
  const stretch = { ...page, offset: skipped, limit };
  const ended =
    endedCount !== undefined && page.after === undefined && skipped >= endedCount / 2
      ? await listEndedBackward(db, filter, stretch, endedCount)
      : await listEnded(db, filter, stretch);
  // A job that has ended since it was read as open must not appear twice.
  const openSeqs = new Set(open.map(({ seq }) => seq));
  const others = ended.filter(({ seq }) => !openSeqs.has(seq));
  const [first] = others;
  if (skipped > 0 && !first) return [];
  const isBefore = (place: Place) => skipped > 0 && first !== undefined && compare(place, first) < 0;
  const before = skipped + open.filter(isBefore).length;
  return [...open.filter((place) => !isBefore(place)), ...others]
    .toSorted(compare)
    .slice(page.offset - before, page.offset - before + page.limit)
    .map(({ seq }) => seq);
}

/** There are few open jobs, because the queue limits them. */
async function listOpen(db: Db, filter: JobFilter, page: Page): Promise<Place[]> {
  const rows = await openOf(db, filter)?.$call(behind(page)).select('seq').execute();
  return (rows ?? []).map(({ seq }) => ({ seq, execution_ms: 0 }));
}

async function listEnded(db: Db, filter: JobFilter, page: Page): Promise<Place[]> {
  const isByDuration = page.sortBy === 'duration';
  // By arrival, the duration is not selected: it would be read from the row of every skipped job.
  const took = sql.raw<number>(isByDuration ? 'execution_ms' : '0').as('execution_ms');
  const ended = endedOf(db, filter)
    ?.$call(behind(page))
    .select(['seq', took])
    .$if(isByDuration, (query) => query.orderBy('execution_ms', page.order))
    .orderBy('seq', page.order)
    .limit(page.limit)
    .offset(page.offset);
  if (!ended) return [];
  const isShort = takesAllEnded(filter) && page.offset + page.limit <= SHORT;
  return isShort ? await ended.execute() : await slowRead(db, filter.userId, ended);
}

/** The same, read from the end of the list. */
async function listEndedBackward(
  db: Db,
  filter: JobFilter,
  page: Page,
  count: number,
): Promise<readonly Place[]> {
  const left = Math.max(0, count - page.offset);
  const limit = Math.min(page.limit, left);
  if (limit === 0) return [];
  const order = page.order === 'asc' ? 'desc' : 'asc';
  return (await listEnded(db, filter, { ...page, order, limit, offset: left - limit })).toReversed();
}

export interface JobCounts {
  readonly open: number;
  readonly ended: number;
}

/** In one statement, so that a job that ends meanwhile is in exactly one of the counts. */
export async function countJobs(db: Db, filter: JobFilter): Promise<JobCounts> {
  // Always true, but without it SQLite would use the index of the queue, which lacks the filtered columns.
  const ended = endedOf(db, filter)?.where('seq', '>', 0).select(COUNT);
  const query = db.selectNoFrom([
    openCount(db, filter).as('open'),
    sql<number>`${ended ? sql`(${ended})` : sql.lit(0)}`.as('ended'),
    sql<number | null>`${keepsCounts(db) ? sql`(${revisionOf(db, filter)})` : null}`.as('revision'),
  ]);
  const [counts] = await slowRead(db, filter.userId, query);
  if (!counts) throw new Error('A count is one row.');
  const { revision, ...numbers } = counts;
  if (revision !== null) keepCount(db, filter, { revision, ended: numbers.ended });
  return numbers;
}

/** With the counts, if the ended jobs were counted since the user's jobs last changed. */
async function readKept(db: Db, filter: JobFilter): Promise<Ahead> {
  if (!keepsCounts(db)) return {};
  const line = await revisionOf(db, filter).select(openCount(db, filter).as('open')).executeTakeFirst();
  if (!line) return {};
  const { list_revision: revision, open } = line;
  const ended = keptCount(db, filter, revision);
  return ended === undefined ? { revision } : { revision, counts: { open, ended } };
}

const COUNT = sql<number>`count(*)`.as('count');

function openCount(db: Db, filter: JobFilter) {
  const open = openOf(db, filter)?.select(COUNT);
  return sql<number>`${open ? sql`(${open})` : sql.lit(0)}`;
}

function revisionOf(db: Db, { userId }: JobFilter) {
  return db.selectFrom('job_queues').select('list_revision').where('user_id', '=', userId);
}

function openOf(db: Db, filter: JobFilter) {
  const statuses = filter.statuses.filter((status) => !isEnded(status));
  return statuses.length === 0 ? undefined : shown(db, filter).where('status', 'in', statuses);
}

function endedOf(db: Db, filter: JobFilter) {
  const statuses = filter.statuses.filter(isEnded);
  if (statuses.length === 0) return undefined;
  const ended = shown(db, filter).where('ended_at', 'is not', null);
  if (statuses.length === ENDED.length) return ended;
  // PostgreSQL has statistics about these states, and uses the index of the queue when there are few such jobs.
  if (engineOf(db) === 'postgres') return ended.where('status', 'in', statuses);
  // Not the bare column: SQLite would use the index of the queue and sort all jobs in these states.
  return ended.where(sql<JobStatus>`status || ''`, 'in', statuses);
}

function shown(db: Db, filter: JobFilter) {
  const { userId, workflowId, outputType, workflowName, tags = [], metadata = [], from, before } = filter;
  const found = db
    .selectFrom('jobs')
    .where('user_id', '=', userId)
    // A literal: otherwise the partial index on jobs that are not hidden could not be used.
    .where('hidden', '=', sql.lit(0))
    .$if(workflowId !== undefined, (query) => query.where('workflow_id', '=', workflowId ?? ''))
    .$if(workflowName !== undefined, (query) => query.where('workflow_name', '=', workflowName ?? ''))
    .$if(from !== undefined, (query) => query.where('created_at', '>=', from ?? 0))
    .$if(before !== undefined, (query) => query.where('created_at', '<', before ?? 0));
  const hashes = [...tags.map(tagHash), ...metadata.map(pairHash)];
  const ofType = outputType === undefined ? found : found.where(contains(db, 'output_types', outputType));
  return hashes.reduce((query, each) => query.where(contains(db, 'filter_hashes', each)), ofType);
}

/**
 * Not a pattern on SQLite, where it would ignore case. PostgreSQL has statistics about how many rows a pattern matches, and plans with
 * them. No output type contains another one; with the blanks around it, LIKE would start comparing at each blank: 38 instead of 33 ms
 * for 250 000 jobs.
 */
function contains(db: Db, name: 'output_types' | 'filter_hashes', part: string | Buffer) {
  const column = sql.ref(name);
  if (engineOf(db) === 'sqlite') return sql<SqlBool>`instr(${column}, ${part}) > 0`;
  // LIKE works on bytes too: 250 000 hashes take 4 ms, as text 13 ms.
  const pattern =
    typeof part === 'string'
      ? likePattern(part)
      : Buffer.from(likePattern(part.toString('latin1')), 'latin1');
  return sql<SqlBool>`${column} like ${pattern}`;
}

function behind({ order, after }: Page) {
  return (query: ReturnType<typeof shown>) =>
    after === undefined ? query : query.where('seq', order === 'asc' ? '>' : '<', after);
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
