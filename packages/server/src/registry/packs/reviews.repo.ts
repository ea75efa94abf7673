import type { Db } from '../../platform/db/database.ts';
import type { PackReviewRow } from '../../platform/db/schema/registry.ts';

export async function findReview(db: Db, packId: string, userId: string): Promise<PackReviewRow | undefined> {
  return await db
    .selectFrom('pack_reviews')
    .selectAll()
    .where('pack_id', '=', packId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
}

export async function countStars(db: Db, packId: string): Promise<{ star: number; count: number }[]> {
  return await db
    .selectFrom('pack_reviews')
    .select((eb) => ['star', eb.fn.countAll<number>().as('count')])
    .where('pack_id', '=', packId)
    .groupBy('star')
    .execute();
}

export async function putReview(db: Db, review: PackReviewRow): Promise<void> {
  const { star, version, created_at } = review;
  await db
    .insertInto('pack_reviews')
    .values(review)
    .onConflict((conflict) =>
      conflict.columns(['pack_id', 'user_id']).doUpdateSet({ star, version, created_at }),
    )
    .execute();
}

export async function listReviewsOf(db: Db, userId: string): Promise<PackReviewRow[]> {
  return await db.selectFrom('pack_reviews').selectAll().where('user_id', '=', userId).execute();
}

export async function deleteReview(db: Db, packId: string, userId: string): Promise<void> {
  await db.deleteFrom('pack_reviews').where('pack_id', '=', packId).where('user_id', '=', userId).execute();
}
