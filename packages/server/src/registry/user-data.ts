import type { Db } from '../platform/db/database.ts';
import { AppError } from '../platform/errors/app-error.ts';
import { type ExportUser, isoOrNull, jsonFile } from '../platform/export/exported-file.ts';
import type { Actor } from '../platform/http/actor.ts';
import type { CommonParts } from './common-parts.ts';
import { addStars, countPacksLeft } from './packs/packs.repo.ts';
import { deleteReview, findReview, listReviewsOf } from './packs/reviews.repo.ts';
import { listMembershipsOf, listSolelyOwned } from './publishers/members.repo.ts';
import type { PublishersService } from './publishers/publishers.service.ts';

interface Parts extends Pick<CommonParts, 'db' | 'changePack'> {
  readonly publishers: Pick<PublishersService, 'remove'>;
}

/** What the registry keeps for users. Memberships are deleted with the account. */
export function createUserData({ db, publishers, changePack }: Parts) {
  return {
    /** Nodes that others may have installed are never left without an owner. */
    async assertDeletable(userId: string): Promise<void> {
      for (const id of await listSolelyOwned(db, userId)) {
        if ((await countPacksLeft(db, id)) === 0) continue;
        throw new AppError(
          'registry.publisher_in_use',
          `The user is the only owner of publisher "${id}", which has nodes. Make another member an owner, or delete the nodes first.`,
        );
      }
    },

    async delete(userId: string, by: Actor): Promise<void> {
      for (const id of await listSolelyOwned(db, userId)) await publishers.remove(by, id);
      for (const { pack_id: packId } of await listReviewsOf(db, userId)) {
        await changePack(packId, async (tx) => {
          const review = await findReview(tx, packId, userId);
          if (!review) return;
          await deleteReview(tx, packId, userId);
          await addStars(tx, packId, -review.star, -1);
        });
      }
    },
  };
}

/** Memberships and reviews of a user. Packs belong to their publishers. */
export function createExportUser(db: Db): ExportUser {
  return async function* exportUser(userId) {
    const memberships = await listMembershipsOf(db, userId);
    const reviews = await listReviewsOf(db, userId);
    yield jsonFile('registry.json', {
      publishers: memberships.map(({ publisher_id: id, role }) => ({ id, role })),
      reviews: reviews.map(({ pack_id: pack, star, version, created_at: at }) => ({
        pack,
        star,
        version,
        created_at: isoOrNull(at),
      })),
    });
  };
}
