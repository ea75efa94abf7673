import { sql } from 'kysely';

import type { Db } from '../../platform/db/database.ts';
import type { WorkerRow } from '../../platform/db/schema/workers.ts';

const NOTHING = '{}';

/** Writes how workers of this server stand. What an administrator wants of them stays as it is. */
export async function putWorkers(db: Db, rows: readonly Omit<WorkerRow, 'wanted'>[]): Promise<void> {
  if (rows.length === 0) return;
  await db
    .insertInto('workers')
    .values(rows.map((row) => ({ ...row, wanted: NOTHING })))
    .onConflict((conflict) =>
      conflict.column('instance').doUpdateSet((eb) => ({
        server: eb.ref('excluded.server'),
        about: eb.ref('excluded.about'),
        seen_at: eb.ref('excluded.seen_at'),
      })),
    )
    .execute();
}

export async function listWorkers(db: Db): Promise<WorkerRow[]> {
  return await db.selectFrom('workers').selectAll().where('server', '!=', '').orderBy('instance').execute();
}

/** What is wanted of the workers of this server and was not done yet. */
export async function listWanted(db: Db, server: string): Promise<Pick<WorkerRow, 'instance' | 'wanted'>[]> {
  return await db
    .selectFrom('workers')
    .select(['instance', 'wanted'])
    .where('server', '=', server)
    .where('wanted', '!=', NOTHING)
    .execute();
}

/** One more thing that is wanted of a worker, after what its server has not done yet. Only where there are several servers. */
export async function addWanted(db: Db, instance: string, wanted: string): Promise<void> {
  await db
    .updateTable('workers')
    .set({
      wanted: sql<string>`(case wanted when ${NOTHING} then '[]' else wanted end)::jsonb || jsonb_build_array(${wanted}::jsonb)`,
    })
    .where('instance', '=', instance)
    .execute();
}

/** It is done, unless something else is wanted by now. */
export async function clearWanted(
  db: Db,
  { instance, wanted }: Pick<WorkerRow, 'instance' | 'wanted'>,
): Promise<void> {
  await db
    .updateTable('workers')
    .set({ wanted: NOTHING })
    .where('instance', '=', instance)
    .where('wanted', '=', wanted)
    .execute();
}

/** Those that this server has no more, and those of servers that are gone. */
export async function forgetWorkers(
  db: Db,
  {
    server,
    kept,
    seenBefore,
  }: { readonly server: string; readonly kept: readonly string[]; readonly seenBefore: number },
): Promise<void> {
  await db
    .deleteFrom('workers')
    .where('server', '!=', '')
    .where((eb) =>
      eb.or([
        eb.and([eb('server', '=', server), ...(kept.length > 0 ? [eb('instance', 'not in', kept)] : [])]),
        eb('seen_at', '<', seenBefore),
      ]),
    )
    .execute();
}
