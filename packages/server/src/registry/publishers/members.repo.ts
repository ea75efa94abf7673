import type { Db } from '../../platform/db/database.ts';
import type { PublisherMemberRow } from '../../platform/db/schema/registry.ts';

/** False when the user is a member already. */
export async function insertMember(db: Db, member: PublisherMemberRow): Promise<boolean> {
  const result = await db
    .insertInto('publisher_members')
    .values(member)
    .onConflict((conflict) => conflict.columns(['publisher_id', 'user_id']).doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

/** Oldest first. */
export async function listMembers(db: Db, publisherIds: readonly string[]): Promise<PublisherMemberRow[]> {
  if (publisherIds.length === 0) return [];
  return await db
    .selectFrom('publisher_members')
    .selectAll()
    .where('publisher_id', 'in', publisherIds)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

export async function roleIn(db: Db, publisherId: string, userId: string) {
  const row = await db
    .selectFrom('publisher_members')
    .select('role')
    .where('publisher_id', '=', publisherId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row?.role;
}

/** How many publishers the user owns or, with `made`, owns and has created. */
export async function countOwned(db: Db, userId: string, { made }: { made: boolean }): Promise<number> {
  const row = await db
    .selectFrom('publisher_members')
    .innerJoin('publishers', 'publishers.id', 'publisher_members.publisher_id')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('publisher_members.user_id', '=', userId)
    .where('publisher_members.role', '=', 'owner')
    .where('publishers.status', '!=', 'deleted')
    .$if(made, (query) => query.where('publishers.created_by', '=', userId))
    .executeTakeFirstOrThrow();
  return row.count;
}

export async function setMemberRole(db: Db, id: string, role: PublisherMemberRow['role']): Promise<void> {
  await db.updateTable('publisher_members').set({ role }).where('id', '=', id).execute();
}

export async function deleteMember(db: Db, id: string): Promise<void> {
  await db.deleteFrom('publisher_members').where('id', '=', id).execute();
}

export async function listMembershipsOf(db: Db, userId: string): Promise<PublisherMemberRow[]> {
  return await db.selectFrom('publisher_members').selectAll().where('user_id', '=', userId).execute();
}

export async function deleteMembersOf(db: Db, publisherId: string): Promise<void> {
  await db.deleteFrom('publisher_members').where('publisher_id', '=', publisherId).execute();
}

/** Publishers that would have no owner without this user. */
export async function listSolelyOwned(db: Db, userId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('publisher_members as own')
    .innerJoin('publishers', 'publishers.id', 'own.publisher_id')
    .select('own.publisher_id')
    .where('own.user_id', '=', userId)
    .where('own.role', '=', 'owner')
    .where('publishers.status', '!=', 'deleted')
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('publisher_members as other')
            .select('other.id')
            .whereRef('other.publisher_id', '=', 'own.publisher_id')
            .where('other.role', '=', 'owner')
            .where('other.user_id', '!=', userId),
        ),
      ),
    )
    .orderBy('own.publisher_id')
    .execute();
  return rows.map((row) => row.publisher_id);
}
