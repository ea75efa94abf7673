import { hash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';

import { bytesType } from './portable-columns.ts';

const ROWS_AT_ONCE = 1000;

interface LabeledJob {
  readonly seq: number;
  readonly tags: string;
  readonly metadata: string;
}

/**
 * Short hashes of tags and metadata take the place of both in the indexes of lists. They fit into an index of PostgreSQL too, which has read
 * both from the rows of all jobs of an account.
 */
export async function up(db: Kysely<never>): Promise<void> {
  for (const name of ['jobs_ended', 'jobs_by_duration']) await db.schema.dropIndex(name).execute();
  await db.schema.alterTable('jobs').addColumn('filter_hashes', bytesType(db)).execute();
  await fill(db);
  // What PostgreSQL compares while it walks the index stands first, because it passes over the texts before it: 250 000 of another workflow
  // take 11 instead of 16 ms. The time needs no padding there: all entries are read in 27 instead of 30 ms.
  const filters = 'created_at, workflow_id, workflow_name, status, output_types, filter_hashes';
  for (const [name, order] of [
    ['jobs_ended', 'seq'],
    ['jobs_by_duration', 'execution_ms, seq'],
  ] as const) {
    await sql`create index ${sql.ref(name)} on jobs (user_id, ${sql.raw(`${order}, ${filters}`)})
      where hidden = 0 and ended_at is not null`.execute(db);
  }
}

async function fill(db: Kysely<never>): Promise<void> {
  for (let after = 0; ; ) {
    const { rows } = await sql<LabeledJob>`select seq, tags, metadata from jobs
      where seq > ${after} and (tags <> '' or metadata <> '') order by seq limit ${ROWS_AT_ONCE}`.execute(db);
    const last = rows.at(-1);
    if (!last) return;
    const filled = sql.join(
      rows.map(
        (row) => sql`(cast(${row.seq} as bigint), cast(${hashesOf(row)} as ${sql.raw(bytesType(db))}))`,
      ),
    );
    await sql`with filled(seq, hashes) as (values ${filled})
      update jobs set filter_hashes = filled.hashes from filled where jobs.seq = filled.seq`.execute(db);
    after = last.seq;
  }
}

/** As `cloud/filter-hashes.ts` makes them, which a later version may change. */
function hashesOf({ tags, metadata }: LabeledJob): Buffer {
  const pairs = metadata === '' ? [] : Object.entries(JSON.parse(metadata) as Record<string, string>);
  const texts = [
    ...(tags === '' ? [] : tags.slice(1, -1).split(',')).map((tag) => `tag ${tag}`),
    ...pairs.map(([key, value]) => `metadata ${JSON.stringify(key)}:${JSON.stringify(value)}`),
  ];
  return Buffer.concat(texts.map((text) => hash('sha256', text, 'buffer').subarray(0, 8)));
}
