import type { Node } from '@atelier/contracts';

import type { Db } from '../../platform/db/database.ts';
import { AppError, notFound } from '../../platform/errors/app-error.ts';
import { packsWithInnerNode } from '../inner-nodes/inner-nodes.repo.ts';
import { packIdKey, repositoryKey } from '../packs/pack-id.ts';
import { findPackRecord, findPackRecords, type Pack, toRecords } from '../packs/packs.repo.ts';
import { bannedPack } from '../publishers/permissions.ts';
import { findPublisher } from '../publishers/publishers.repo.ts';
import { type LinkMaker, texts, toNode } from '../to-wire.ts';
import * as repo from './catalogue.repo.ts';
import type { CatalogueCache } from './catalogue-cache.ts';
import { createListing } from './catalogue-listing.ts';
import { type Rendered, renderBytes, renderJson, renderNodes } from './catalogue-rendered.ts';
import { queryWords } from './pack-search-text.ts';

/** So many packs are read and rendered before others get their turn. */
const STEP = 500;
const MOST_IDS = 200;
/** How often a page is begun again because the catalogue changed while it was made. */
const ATTEMPTS = 3;
const BY_RANKING = [
  { column: 'search_ranking', direction: 'asc' },
  { column: 'downloads', direction: 'desc' },
] as const;

export interface ListQuery extends Omit<repo.PackFilter, 'repositoryKey' | 'innerNode'> {
  readonly page: number;
  readonly limit: number;
  readonly sort: readonly string[];
}

export interface SearchQuery extends Omit<ListQuery, 'sort'> {
  readonly search?: string | undefined;
  readonly repositoryUrl?: string | undefined;
  readonly innerNode?: string | undefined;
}

interface Parts {
  readonly db: Db;
  readonly cache: CatalogueCache;
  readonly links: LinkMaker;
}

type Window = Pick<ListQuery, 'page' | 'limit'>;

export type CatalogueService = ReturnType<typeof createCatalogueService>;

/** Reading packs: everything that is asked for often, and by anybody. */
export function createCatalogueService({ db, cache, links }: Parts) {
  const { clock } = cache;

  const toNodes = async (packs: readonly Pack[]): Promise<Node[]> =>
    (await toRecords(db, packs)).map((record) => toNode(record, links));

  const assertStill = async (revision: number): Promise<void> => {
    if ((await repo.readRevision(db)) !== revision) throw new CatalogueMoved();
  };

  const listingOf = async (filter: repo.PackFilter, sort: readonly string[], revision: number) => {
    const key = JSON.stringify([filter, sort]);
    return await cache.listings.get(revision, key, async (previous) => {
      const madeAt = clock();
      const seqs = await repo.orderOfPacks(db, filter, sort.map(toSort));
      await assertStill(revision);
      const load = async (wanted: readonly number[]) => {
        const records = await findPackRecords(db, wanted);
        await assertStill(revision);
        return records.map((record) => JSON.stringify(toNode(record, links)));
      };
      const before = previous?.blocks() ?? [];
      return createListing({ key, kept: cache.listings, seqs, madeAt, before, load });
    });
  };

  const pageFromRows = async (
    { page, limit }: Window,
    filter: repo.PackFilter,
    sort: repo.PackSort,
    total: number,
  ): Promise<Rendered> => {
    const madeAt = clock();
    const packs = await repo.pageOfPacks(db, filter, { offset: (page - 1) * limit, limit, sort });
    return renderNodes({ total, page, limit, madeAt, nodes: await toNodes(packs) });
  };

  const pageByRanking = async (window: Window, filter: repo.PackFilter): Promise<Rendered> =>
    await pageFromRows(window, filter, BY_RANKING, await repo.countPacks(db, filter));

  const pageOf = async (
    { page, limit }: Window,
    filter: repo.PackFilter,
    sort: readonly string[],
    { anew }: { anew: boolean },
  ): Promise<Rendered> => {
    const columns = sort.map(toSort);
    // An install moves packs in this order without changing the revision: order and counts are read together.
    const isByDownloads = columns.some(({ column }) => column === 'downloads');
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      try {
        const listing = await listingOf(filter, isByDownloads ? [] : sort, await cache.revision());
        if (!isByDownloads && !anew) return await listing.page(page, limit);
        const rendered = await pageFromRows({ page, limit }, filter, columns, listing.total);
        if (!isByDownloads) listing.putPage(page, limit, rendered);
        return rendered;
      } catch (error) {
        if (!(error instanceof CatalogueMoved)) throw error;
        cache.changed();
      }
    }
    // It changes all the time: from rows that are read for this answer alone.
    return await pageFromRows({ page, limit }, filter, columns, await repo.countPacks(db, filter));
  };

  const search = async (query: SearchQuery): Promise<Rendered> => {
    const { page, limit, search: text, repositoryUrl, ...rest } = query;
    const filter = {
      ...rest,
      repositoryKey: (repositoryUrl ? repositoryKey(repositoryUrl) : undefined) ?? undefined,
      innerNode: query.innerNode || undefined,
    };
    const words = queryWords(text ?? '');
    if (words.length > 0) {
      const madeAt = clock();
      const { total, packs } = await repo.searchPacks(db, words, filter, {
        offset: (page - 1) * limit,
        limit,
      });
      return renderNodes({ total, page, limit, madeAt, nodes: await toNodes(packs) });
    }
    // A query of nothing but signs finds nothing; no query at all finds everything.
    if (text?.trim()) return renderNodes({ total: 0, page, limit, madeAt: clock(), nodes: [] });
    if (filter.innerNode !== undefined) return await pageByRanking({ page, limit }, filter);
    return await pageOf({ page, limit }, filter, [], { anew: false });
  };

  /**
   * All packs of a list. Which they are is read at once, and they themselves in steps, so that requests are answered in
   * between: what leaves the list meanwhile is left out, and every other pack is there once.
   */
  async function* nodesOf(filter: repo.PackFilter): AsyncGenerator<Node> {
    const seqs = [...(await repo.orderOfPacks(db, filter, []))];
    for (let from = 0; from < seqs.length; from += STEP) {
      yield* await toNodes(await repo.findListedPacks(db, filter, seqs.slice(from, from + STEP)));
      await new Promise(setImmediate);
    }
  }

  const exportAll = async (): Promise<Rendered> => {
    const madeAt = clock();
    // Before the packs, so that they may be newer than it says but not older.
    const revision = await repo.readRevision(db);
    const parts: string[] = [];
    for await (const node of nodesOf({ includeBanned: false })) parts.push(JSON.stringify(node));
    const text = `{"revision":${revision},"total":${parts.length},"nodes":[${parts.join(',')}]}`;
    return renderBytes(Buffer.from(text), madeAt);
  };

  return {
    /** `anew`: with the counts of this moment, which otherwise may be a minute old. */
    async list(query: ListQuery, { anew }: { anew: boolean } = { anew: false }): Promise<Rendered> {
      if ((query.ids?.length ?? 0) > MOST_IDS) {
        throw new AppError('request.invalid', `At most ${MOST_IDS} node ids can be asked for at once.`);
      }
      const { page, limit, sort, ...filter } = query;
      if (!sort.some((text) => text.startsWith('downloads'))) {
        return await pageOf({ page, limit }, filter, sort, { anew });
      }
      const key = `list:${JSON.stringify(query)}`;
      if (anew) cache.answers.forget(key);
      return await cache.answers.get(
        await cache.revision(),
        key,
        async () => await pageOf({ page, limit }, filter, sort, { anew }),
      );
    },

    async search(query: SearchQuery): Promise<Rendered> {
      const key = `search:${JSON.stringify(query)}`;
      return await cache.answers.get(await cache.revision(), key, async () => await search(query));
    },

    async export(): Promise<Rendered> {
      return await cache.answers.get(await cache.revision(), 'export', exportAll);
    },

    /** By its exact id; `moved` names the right spelling when only the case differs. */
    async read(
      packId: string,
      { withTranslations }: { withTranslations: boolean },
    ): Promise<Rendered | { readonly moved: string }> {
      const revision = await cache.revision();
      const spelling = await cache.answers.get(revision, `id:${packIdKey(packId)}`, async () => {
        const madeAt = clock();
        const record = await findPackRecord(db, packId);
        if (!record || record.pack.status === 'deleted') throw notFound('node', packId);
        if (record.pack.status === 'banned' || record.publisher.status === 'banned') {
          throw bannedPack(record.pack.id);
        }
        return renderBytes(Buffer.from(record.pack.id), madeAt);
      });
      const id = spelling.plain().toString();
      if (id !== packId) return { moved: id };
      return await cache.answers.get(revision, `node:${withTranslations}:${id}`, async () => {
        const madeAt = clock();
        const record = await findPackRecord(db, id);
        if (!record) throw notFound('node', id);
        return renderJson(toNode(record, links, { withTranslations }), madeAt);
      });
    },

    /** The pack that provides a node: one that claims the name first, then by ranking and downloads. */
    async ofInnerNode(name: string): Promise<Node> {
      const packs = await packsWithInnerNode(db, name);
      const claims = packs.find((pack) => texts(pack.preempted_node_names).includes(name));
      const chosen = claims ?? packs[0];
      if (!chosen) throw notFound('node that provides', name);
      const [node] = await toNodes([chosen]);
      if (!node) throw notFound('node that provides', name);
      return node;
    },

    async assertPublisher(publisherId: string): Promise<void> {
      if (!(await findPublisher(db, publisherId))) throw notFound('publisher', publisherId);
    },

    async ofPublisher(publisherId: string, includeBanned: boolean): Promise<Node[]> {
      return await Array.fromAsync(nodesOf({ publisherId, includeBanned }));
    },
  };
}

/** What was read is not of the revision that it was read for. */
class CatalogueMoved extends Error {}

/** The route's schema has checked the text. */
function toSort(text: string): repo.PackSort[number] {
  const [column, direction = 'asc'] = text.split(';');
  return { column: column as repo.SortColumn, direction: direction as 'asc' | 'desc' };
}
