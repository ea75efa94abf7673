import type { Db } from '../platform/db/database.ts';

/** The preview output of the last job of each of these workflows, as JSON by name. */
export async function readLastOutputs(
  db: Db,
  userId: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (names.length === 0) return new Map();
  const rows = await db
    .selectFrom('jobs')
    .select(['workflow_name', 'preview_output'])
    .where('seq', 'in', (eb) =>
      eb
        .selectFrom('jobs as last')
        .select((last) => last.fn.max('last.seq').as('seq'))
        .where('last.user_id', '=', userId)
        .where('last.workflow_name', 'in', [...names])
        .where('last.workflow_name', 'is not', null)
        .where('last.preview_output', 'is not', null)
        .groupBy('last.workflow_name'),
    )
    .execute();
  return new Map(rows.map((row) => [row.workflow_name ?? '', row.preview_output ?? '{}']));
}
