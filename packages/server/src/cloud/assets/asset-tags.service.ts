import type { AssetTagsChange, TagCounts, TagPage, TagsAdded, TagsRemoved } from '@atelier/contracts';

import { type Db, withTransaction } from '../../platform/db/database.ts';
import type { AssetRow } from '../../platform/db/schema/cloud.ts';
import { invalid, notFound } from '../../platform/errors/app-error.ts';
import type { ServiceParts } from '../../platform/service-parts.ts';
import { insertTags } from '../files/assets.repo.ts';
import { isFolderName } from '../files/file-place.ts';
import { readFilter } from './asset-filter.ts';
import { countTags } from './asset-list.repo.ts';
import type { FilterQuery, TagListQuery } from './asset-queries.ts';
import * as repo from './assets.repo.ts';
import { MAX_TAGS, toTags } from './read-tags.ts';

export type AssetTagsService = ReturnType<typeof createAssetTagsService>;

export function createAssetTagsService({ db, clock }: ServiceParts) {
  return {
    async add(userId: string, id: string, given: readonly string[]): Promise<TagsAdded> {
      const tags = toTags(given);
      return await withLockedAsset(db, userId, id, async (tx, row, known) => {
        const added = await addTags(tx, row, known, tags);
        if (added.length > 0) await repo.updateAsset(tx, userId, id, { updated_at: clock() });
        return {
          added,
          already_present: tags.filter((tag) => known.includes(tag)),
          total_tags: [...known, ...added].toSorted(),
        };
      });
    },

    async remove(userId: string, id: string, given: readonly string[]): Promise<TagsRemoved> {
      const tags = toTags(given);
      return await withLockedAsset(db, userId, id, async (tx, _row, known) => {
        const present = tags.filter((tag) => known.includes(tag));
        const removed = present.filter((tag) => !isFolderName(tag));
        await repo.deleteTags(tx, id, removed);
        if (removed.length > 0) await repo.updateAsset(tx, userId, id, { updated_at: clock() });
        return {
          removed,
          not_present: tags.filter((tag) => !known.includes(tag)),
          protected: present.filter(isFolderName),
          total_tags: known.filter((tag) => !removed.includes(tag)).toSorted(),
        };
      });
    },

    /** Changes the tags of the assets that exist, and returns their ids. */
    async change(userId: string, { ids, add = [], remove = [] }: AssetTagsChange): Promise<string[]> {
      const [added, removed] = [toTags(add), toTags(remove)];
      const folder = [...added, ...removed].find(isFolderName);
      if (folder !== undefined) throw invalid(`"${folder}" says where a file is and cannot be changed.`);
      const found = new Set((await repo.findAssets(db, userId, ids)).map(({ id }) => id));
      const changed = [...new Set(ids)].filter((id) => found.has(id));
      for (const id of changed) {
        await withLockedAsset(db, userId, id, async (tx, row, known) => {
          const kept = known.filter((tag) => !removed.includes(tag));
          await repo.deleteTags(tx, id, removed);
          await addTags(tx, row, kept, added);
          await repo.updateAsset(tx, userId, id, { updated_at: clock() });
        });
      }
      return changed;
    },

    async list(userId: string, page: TagListQuery): Promise<TagPage> {
      if (/\p{Cc}/u.test(page.prefix ?? '')) throw invalid('prefix has a control character.');
      const { tags, total } = await countTags(db, userId, readFilter({}), page);
      return { tags, total, has_more: (page.offset ?? 0) + tags.length < total };
    },

    async refine(userId: string, query: FilterQuery & { readonly limit?: number }): Promise<TagCounts> {
      const { limit = 100 } = query;
      const { tags } = await countTags(db, userId, readFilter(query), { limit });
      return { tag_counts: Object.fromEntries(tags.map(({ name, count }) => [name, count])) };
    },
  };
}

/** Locks the asset while `work` runs; `known` are its tags. */
export async function withLockedAsset<T>(
  db: Db,
  userId: string,
  id: string,
  work: (tx: Db, row: AssetRow, known: readonly string[]) => Promise<T>,
): Promise<T> {
  return await withTransaction(db, async (tx) => {
    const row = await repo.lockAsset(tx, userId, id);
    if (!row) throw notFound('asset', id);
    return await work(tx, row, (await repo.readTags(tx, [id])).get(id) ?? []);
  });
}

/** Adds tags to a locked asset, and returns those that are new. */
export async function addTags(
  tx: Db,
  row: AssetRow,
  known: readonly string[],
  tags: readonly string[],
): Promise<string[]> {
  const added = tags.filter((tag) => !known.includes(tag));
  const folder = added.find(isFolderName);
  if (folder !== undefined) {
    throw invalid(`The file is in "${row.folder}": "${folder}" cannot be its tag.`);
  }
  if (known.length + added.length > MAX_TAGS) {
    throw invalid(`An asset has at most ${MAX_TAGS} tags.`);
  }
  await insertTags(tx, row, added);
  return added;
}
