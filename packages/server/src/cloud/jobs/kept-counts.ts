import type { DialectAdapter } from 'kysely';

import { type Db, engineOf } from '../../platform/db/database.ts';
import { prepareQuery } from '../../platform/db/prepared-query.ts';
import type { JobFilter } from './job-list.repo.ts';

const MAX_KEPT = 10_000;

/** Counts of ended jobs by revision and filter, the oldest first. An adapter is one for each database. */
const countsAt = new WeakMap<DialectAdapter, Map<string, number>>();

const revisionOf = prepareQuery((db, { userId }: { userId: string }) =>
  db.selectFrom('job_queues').select('list_revision').where('user_id', '=', userId),
);

interface KeptCount {
  readonly ended: number | undefined;
  keep(ended: number): void;
}

/**
 * The number of ended jobs in a list, if it was counted since the user's jobs last changed. Only on PostgreSQL, which takes some 40 ms to
 * count 250,000 jobs; SQLite takes 15. The revision is read before the jobs are counted, so a concurrent change makes it outdated.
 */
export async function readKeptCount(db: Db, filter: JobFilter): Promise<KeptCount> {
  const isKept = engineOf(db) === 'postgres' && !db.isTransaction;
  const [line] = isKept ? await revisionOf(db, filter) : [];
  if (!line) return { ended: undefined, keep: () => {} };
  const { adapter } = db.getExecutor();
  const counts = countsAt.getOrInsertComputed(adapter, () => new Map<string, number>());
  const key = `${line.list_revision} ${JSON.stringify(filter)}`;
  return {
    ended: counts.get(key),
    keep(ended) {
      counts.set(key, ended);
      if (counts.size > MAX_KEPT) counts.delete(counts.keys().next().value ?? '');
    },
  };
}
