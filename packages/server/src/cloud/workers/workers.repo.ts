import { sql } from 'kysely';

import type { Db } from '../../platform/db/database.ts';
import type { WorkerRow } from '../../platform/db/schema/workers.ts';
import type { Offered } from './node-types/node-types.ts';

const NOTHING = '{}';
/** The server of rows that keep the offer of a worker instead. */
const NO_SERVER = '';

/** Writes the state of workers of this server, and leaves what administrators want of them as it is. */
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
  return await db
    .selectFrom('workers')
    .selectAll()
    .where('server', '!=', NO_SERVER)
    .orderBy('instance')
    .execute();
}

/** What administrators want of the workers of this server and is not done yet. */
export async function listWanted(db: Db, server: string): Promise<Pick<WorkerRow, 'instance' | 'wanted'>[]> {
  return await db
    .selectFrom('workers')
    .select(['instance', 'wanted'])
    .where('server', '=', server)
    .where('wanted', '!=', NOTHING)
    .execute();
}

/** Appends something that an administrator wants of a worker. Only where there are several servers. */
export async function addWanted(db: Db, instance: string, wanted: string): Promise<void> {
  await db
    .updateTable('workers')
    .set({
      wanted: sql<string>`(case wanted when ${NOTHING} then '[]' else wanted end)::jsonb || jsonb_build_array(${wanted}::jsonb)`,
    })
    .where('instance', '=', instance)
    .execute();
}

/** Clears what is done, unless something was added meanwhile. */
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

/** Removes workers that this server no longer has, and those of servers that are gone. */
export async function forgetWorkers(
  db: Db,
  server: string,
  { kept, seenBefore }: { readonly kept: readonly string[]; readonly seenBefore: number },
): Promise<void> {
  await db
    .deleteFrom('workers')
    .where('server', '!=', NO_SERVER)
    .where((eb) =>
      eb.or([
        eb.and([eb('server', '=', server), ...(kept.length > 0 ? [eb('instance', 'not in', kept)] : [])]),
        eb('seen_at', '<', seenBefore),
      ]),
    )
    .execute();
}

/** What a ComfyUI worker offered when it was last seen. */
interface KeptOffer extends Pick<Offered, 'name' | 'hash' | 'models'> {
  readonly at: number;
}

export async function putOffer(db: Db, { name, hash, models, at }: KeptOffer): Promise<void> {
  const about = JSON.stringify({ name, hash, models });
  await db
    .insertInto('workers')
    .values({
      instance: `offer of ${name}`,
      server: NO_SERVER,
      token_id: '',
      about,
      wanted: NOTHING,
      seen_at: at,
    })
    .onConflict((conflict) => conflict.column('instance').doUpdateSet({ about, seen_at: at }))
    .execute();
}

/** The offers of ComfyUI workers, the newest first. */
export async function listOffers(db: Db, limit: number): Promise<KeptOffer[]> {
  const rows = await db
    .selectFrom('workers')
    .select(['about', 'seen_at'])
    .where('server', '=', NO_SERVER)
    .orderBy('seen_at', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ about, seen_at }) => ({
    ...(JSON.parse(about) as Omit<KeptOffer, 'at'>),
    at: seen_at,
  }));
}

export async function forgetOffers(db: Db, seenBefore: number): Promise<void> {
  await db.deleteFrom('workers').where('server', '=', NO_SERVER).where('seen_at', '<', seenBefore).execute();
}
