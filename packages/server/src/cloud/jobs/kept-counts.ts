import type { DialectAdapter } from 'kysely';

import { type Db, engineOf } from '../../platform/db/database.ts';
import type { JobFilter } from './job-list.repo.ts';

const MAX_KEPT = 10_000;

/** Numbers of ended jobs by revision and filter, the oldest first. An adapter is one for each database. */
const keptAt = new WeakMap<DialectAdapter, Map<string, number>>();

/** Counts are kept on PostgreSQL, which takes some 40 ms to count 250,000 jobs. SQLite takes 15. */
export function keepsCounts(db: Db): boolean {
  return engineOf(db) === 'postgres' && !db.isTransaction;
}

/** The number of ended jobs in a list at this revision of the user's jobs, if it was counted. */
export function keptCount(db: Db, filter: JobFilter, revision: number): number | undefined {
  return keptAt.get(db.getExecutor().adapter)?.get(keyOf(filter, revision));
}

export function keepCount(
  db: Db,
  filter: JobFilter,
  { revision, ended }: { readonly revision: number; readonly ended: number },
): void {
  const kept = keptAt.getOrInsertComputed(db.getExecutor().adapter, () => new Map<string, number>());
  kept.set(keyOf(filter, revision), ended);
  if (kept.size > MAX_KEPT) kept.delete(kept.keys().next().value ?? '');
}

function keyOf(filter: JobFilter, revision: number): string {
  return `${revision} ${JSON.stringify(filter)}`;
}
