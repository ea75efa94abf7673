import type { Db } from '../../../platform/db/database.ts';
import type { ModelFiles } from '../matching/abilities.ts';

/** What a ComfyUI worker offered when it was last seen. */
export interface KeptOffer {
  readonly name: string;
  /** Of its node types. */
  readonly hash: string;
  readonly models: ModelFiles;
  readonly at: number;
}

/** Such rows belong to no server. */
const NO_SERVER = '';

export async function putOffer(db: Db, { name, hash, models, at }: KeptOffer): Promise<void> {
  const about = JSON.stringify({ name, hash, models });
  await db
    .insertInto('workers')
    .values({
      instance: `offer of ${name}`,
      server: NO_SERVER,
      token_id: '',
      about,
      wanted: '{}',
      seen_at: at,
    })
    .onConflict((conflict) => conflict.column('instance').doUpdateSet({ about, seen_at: at }))
    .execute();
}

/** The newest first. */
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
