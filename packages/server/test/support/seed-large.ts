import { sql } from 'kysely';

import { filterHashes } from '../../src/cloud/filter-hashes.ts';
import { type Db, engineOf } from '../../src/platform/db/database.ts';

/** Jobs have one of so many values in their metadata. */
const SHOTS = 100;

/** Of one account, written by a few statements: rows that are inserted by the hundred take minutes. */
export async function seedLarge(
  tx: Db,
  userId: string,
  { jobs, files, endedAt }: { readonly jobs: number; readonly files: number; readonly endedAt: number },
): Promise<void> {
  const numbers = (count: number) =>
    sql`with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${sql.lit(count)})`;
  const id = (kind: string) =>
    sql`${sql.lit(kind)} || '0000000-0000-4000-8000-' || substr(cast(1000000000000 + n as text), 2)`;
  const hash = sql`${sql.lit('0'.repeat(52))} || substr(cast(1000000000000 + n as text), 2)`;
  const at = sql`${sql.lit(endedAt)} + n`;
  const owner = sql.lit(userId);

  const bytes = sql.raw(engineOf(tx) === 'postgres' ? 'bytea' : 'blob');
  const hashes = Array.from({ length: SHOTS }, (_each, n) => {
    const metadata = `{"shot":"a${n}"}`;
    return sql`(${sql.lit(n)}, ${sql.lit(metadata)}, cast(${filterHashes(['night'], metadata)} as ${bytes}))`;
  });

  if (engineOf(tx) === 'postgres') await sql`set local statement_timeout = 0`.execute(tx);
  await sql`insert into jobs (id, user_id, status, created_at, updated_at, started_at, ended_at, execution_ms, attempt,
      workflow_id, workflow_name, tags, metadata, filter_hashes, outputs_count, previewable_outputs_count, output_types, hidden)
    ${numbers(jobs)}, shots(shot, metadata, hashes) as (values ${sql.join(hashes)})
    select ${id('1')}, ${owner}, case when n % 7 = 0 then 'failed' else 'completed' end, ${at}, ${at}, ${at}, ${at},
      (n * 4999) % 60000, 1, 'usual', 'Portraits', ',night,', metadata, hashes, 1, 1, ' image ', 0
    from numbers join shots on shot = n % ${sql.lit(SHOTS)} order by n`.execute(tx);
  await sql`insert into job_queues (user_id, waiting, running, max_running, last_started) values (${owner}, 0, 0, 1, 0)`.execute(
    tx,
  );
  const ofOwner = sql`from jobs where user_id = ${owner}`;
  await sql`insert into job_requests (job_seq, graph, targets, node_order, extra_data)
    select seq, '{"2":{"class_type":"PreviewAny","inputs":{"source":"seeded"}}}', '["2"]', '["2"]', '{}' ${ofOwner}`.execute(
    tx,
  );
  await sql`insert into job_results (job_seq, outputs, meta, events)
    select seq, '{"2":{"text":["seeded"]}}', '{}', '[]' ${ofOwner}`.execute(tx);

  const file = sql`'picture ' || n || '.png'`;
  await sql`insert into assets (id, user_id, folder, subfolder, file_name, name, content_hash, blake3, size, media_type,
      user_metadata, metadata, created_at, updated_at, last_access_at)
    ${numbers(files)}
    select ${id('2')}, ${owner}, 'input', '', ${file}, ${file}, ${hash}, ${hash}, n % 5000, 'image/png',
      '{"rating":' || (n % 5) || '}', '{}', ${at}, ${at}, ${at}
    from numbers`.execute(tx);
  await sql`insert into asset_tags (asset_id, user_id, tag)
    select id, user_id, 'input' from assets where user_id = ${owner}
    union all select id, user_id, 'night' from assets where user_id = ${owner}`.execute(tx);
  await sql`insert into tasks (id, user_id, kind, adapter, state, stage, is_put_off, credits, progress, deadline_at, losses,
      troubles, looks, created_at, updated_at, ended_at, seed, settings, shown)
    ${numbers(files)}
    select ${id('3')}, ${owner}, 'skin-faithful', 'magnific-local', 'done', 'work', 0, 1, 100, ${at}, 0, 0, 0, ${at}, ${at}, ${at}, 1, '{}', '{}'
    from numbers`.execute(tx);
  await sql`insert into webhook_deliveries (id, user_id, endpoint_id, host, url, subject, type, status, in_order, failures,
      due_at, created_at, delivered_at, tries, body)
    ${numbers(files)}
    select ${id('4')}, ${owner}, 'gone', '127.0.0.1', 'http://127.0.0.1/', 'job:' || n, 'job.completed', 'delivered', 1, 0,
      ${at}, ${at}, ${at}, '[]', '{}'
    from numbers`.execute(tx);
}
