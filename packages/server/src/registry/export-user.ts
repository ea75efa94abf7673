import type { Db } from '../platform/db/database.ts';
import { type ExportUser, isoOrNull, jsonFile } from '../platform/export/exported-file.ts';
import { listReviewsOf } from './packs/reviews.repo.ts';
import { listMembershipsOf } from './publishers/members.repo.ts';

/** What the user is and says in the registry. Packs are their publishers'. */
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
