import type { Clock } from '../platform/clock.ts';
import { type Db, withTransaction } from '../platform/db/database.ts';
import { AppError } from '../platform/errors/app-error.ts';
import type { Actor } from '../platform/http/actor.ts';
import { addStars, countPacksLeft, lockPack } from './packs/packs.repo.ts';
import { refreshPack } from './packs/refresh-pack.ts';
import { deleteReview, findReview, listReviewedPacks } from './packs/reviews.repo.ts';
import { listSolelyOwned } from './publishers/members.repo.ts';
import type { PublishersService } from './publishers/publishers.service.ts';

interface Parts {
  readonly db: Db;
  readonly clock: Clock;
  readonly publishers: Pick<PublishersService, 'remove'>;
  readonly catalogueChanged: () => void;
}

/** What the registry keeps for users who are deleted. Memberships go with the account. */
export function createUserData({ db, clock, publishers, catalogueChanged }: Parts) {
  return {
    /** Nodes that others have installed are never left without an owner. */
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
      for (const packId of await listReviewedPacks(db, userId)) {
        await withTransaction(db, async (tx) => {
          await lockPack(tx, packId);
          const review = await findReview(tx, packId, userId);
          if (!review) return;
          await deleteReview(tx, packId, userId);
          await addStars(tx, packId, -review.star, -1);
          await refreshPack(tx, packId, clock());
        });
      }
      catalogueChanged();
    },
  };
}
