import type { Asset, AssetCreated, AssetFromHash, AssetPage, AssetUpdate } from '@atelier/contracts';
import { present } from '@atelier/contracts/present';

import type { AssetRow } from '../../platform/db/schema/cloud.ts';
import { invalid, notFound } from '../../platform/errors/app-error.ts';
import type { Disposition } from '../../platform/files/file-store.ts';
import type { ServiceParts } from '../../platform/service-parts.ts';
import { findAsset, noteAccess } from '../files/assets.repo.ts';
import type { AddedFile, FilesOfUsers } from '../files/create-user-files.ts';
import { type Description, readDescription, wantedFolder } from './asset-description.ts';
import { readFilter } from './asset-filter.ts';
import { type ContentHash, readContentHash } from './asset-hash.ts';
import type { AssetLinks } from './asset-links.ts';
import { countAssets, listAssetIds } from './asset-list.repo.ts';
import { readPage, toNextCursor } from './asset-paging.ts';
import type { FilterQuery, PageQuery } from './asset-queries.ts';
import { addTags, withLockedAsset } from './asset-tags.service.ts';
import * as repo from './assets.repo.ts';
import { toAsset } from './to-asset.ts';

interface Parts extends ServiceParts {
  readonly files: Pick<FilesOfUsers, 'copy' | 'remove'>;
  readonly linkTo: AssetLinks;
  /** Adds the sizes of pictures, as far as they are known. */
  readonly measured: (rows: readonly AssetRow[]) => Promise<readonly AssetRow[]>;
}

export type AssetsService = ReturnType<typeof createAssetsService>;

export function createAssetsService({ db, clock, files, linkTo, measured }: Parts) {
  async function find(userId: string, id: string): Promise<AssetRow> {
    const row = await findAsset(db, userId, id);
    if (!row) throw notFound('asset', id);
    return row;
  }

  async function toAssets(userId: string, given: readonly AssetRow[]): Promise<Asset[]> {
    const rows = await measured(given);
    const ids = rows.map(({ id }) => id);
    const previewIds = [...new Set(rows.flatMap((row) => row.preview_id ?? []))];
    const tagsOf = await repo.readTags(db, ids);
    const previewOf = new Map((await repo.findAssets(db, userId, previewIds)).map((row) => [row.id, row]));
    return rows.map((row) =>
      toAsset(row, { tags: tagsOf.get(row.id) ?? [], preview: previewOf.get(row.preview_id ?? '') }),
    );
  }

  async function toOne(row: AssetRow): Promise<Asset> {
    const [asset] = await toAssets(row.user_id, [row]);
    if (!asset) throw new Error('An asset was lost on its way.');
    return asset;
  }

  /** Updates the description of an existing asset. */
  async function describe(userId: string, id: string, description: Description): Promise<AssetRow> {
    const { name, userMetadata, previewId, tags } = description;
    return await withLockedAsset(db, userId, id, async (tx, row, known) => {
      const added = await addTags(tx, row, known, tags);
      const change = present({ name, user_metadata: userMetadata, preview_id: previewId });
      if (added.length === 0 && Object.keys(change).length === 0) return row;
      return (await repo.updateAsset(tx, userId, id, { ...change, updated_at: clock() })) ?? row;
    });
  }

  /** The answer to an upload. An asset that is not new gets the new description. */
  async function toCreated({ asset, isNew }: AddedFile, description: Description): Promise<AssetCreated> {
    const row = isNew ? asset : await describe(asset.user_id, asset.id, description);
    return { ...(await toOne(row)), created_new: isNew };
  }

  async function assertPreview(userId: string, { previewId }: Description): Promise<void> {
    if (previewId !== undefined) await find(userId, previewId);
  }

  /** The asset with these bytes in the folder that the tags ask for, copied from another folder if necessary. */
  async function takeKnown(
    userId: string,
    hash: ContentHash,
    description: Description,
  ): Promise<AssetCreated | undefined> {
    const wanted = wantedFolder(description.tags);
    const rows = await repo.findByContent(db, userId, hash);
    const [source] = rows;
    if (!source) return undefined;
    await assertPreview(userId, description);
    const folder = wanted ?? source.folder;
    const known = rows.find((row) => row.folder === folder);
    if (known) return await toCreated({ asset: known, isNew: false }, description);
    const extension = /\.\w+$/.exec(source.file_name)?.[0] ?? '';
    const copied = await files.copy(source, {
      userId,
      folder,
      fileName: `${source.content_hash}${extension}`,
      name: source.name,
      ...description,
    });
    return await toCreated(copied, description);
  }

  return {
    toCreated,
    takeKnown,
    assertPreview,

    async list(userId: string, query: FilterQuery & PageQuery): Promise<AssetPage> {
      const filter = readFilter(query);
      const page = readPage(query);
      const isFirst = page.after === undefined && page.offset === 0;
      const [ids, counted] = await Promise.all([
        listAssetIds(db, userId, filter, { ...page, limit: page.limit + 1 }),
        isFirst ? undefined : countAssets(db, userId, filter),
      ]);
      const hasMore = ids.length > page.limit;
      const byId = new Map((await repo.findAssets(db, userId, ids)).map((row) => [row.id, row]));
      const shown = ids.slice(0, page.limit).flatMap((id) => byId.get(id) ?? []);
      const last = hasMore ? shown.at(-1) : undefined;
      const cursor = last && toNextCursor(page, last);
      return {
        assets: await toAssets(userId, shown),
        // A first page that is also the last needs no count.
        total: counted ?? (hasMore ? await countAssets(db, userId, filter) : ids.length),
        has_more: hasMore,
        ...(cursor !== undefined && { next_cursor: cursor }),
      };
    },

    async get(userId: string, id: string): Promise<Asset> {
      return await toOne(await find(userId, id));
    },

    async getByHash(userId: string, hash: string): Promise<Asset> {
      const [row] = await repo.findByContent(db, userId, readContentHash(hash));
      if (!row) throw notFound('asset', hash);
      return await toOne(row);
    },

    async update(userId: string, id: string, body: AssetUpdate): Promise<Asset> {
      const { name, user_metadata: metadata, preview_id: previewId } = body;
      if (name === undefined && metadata === undefined && previewId === undefined) {
        throw invalid('Say at least one of name, user_metadata and preview_id.');
      }
      const description = readDescription(body);
      await find(userId, id);
      await assertPreview(userId, description);
      return await toOne(await describe(userId, id, description));
    },

    async remove(userId: string, id: string): Promise<void> {
      if (!(await files.remove(userId, id))) throw notFound('asset', id);
    },

    /** Returns the ids that existed. */
    async removeAll(userId: string, ids: readonly string[]): Promise<string[]> {
      const removed: string[] = [];
      for (const id of new Set(ids)) if (await files.remove(userId, id)) removed.push(id);
      return removed;
    },

    async contentLink(userId: string, id: string, disposition: Disposition): Promise<string> {
      const row = await find(userId, id);
      await noteAccess(db, row, clock());
      return (await linkTo(row, disposition)).url;
    },

    async fromHash(userId: string, body: AssetFromHash): Promise<AssetCreated> {
      const asset = await takeKnown(userId, readContentHash(body.hash), readDescription(body, body.tags));
      if (!asset) throw notFound('asset', body.hash);
      return asset;
    },
  };
}
