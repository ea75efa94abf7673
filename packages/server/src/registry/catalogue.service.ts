import type { Node, NodePage } from '@atelier/contracts';

import type { Db } from '../platform/db/database.ts';
import { AppError, notFound } from '../platform/errors/app-error.ts';
import * as repo from './catalogue.repo.ts';
import type { CatalogueCache, Rendered } from './catalogue-cache.ts';
import { packsWithInnerNode } from './inner-nodes.repo.ts';
import { packIdKey, repositoryKey } from './pack-id.ts';
import { queryWords } from './pack-search-text.ts';
import { findPackRecord, type Pack, toRecords } from './packs.repo.ts';
import { bannedPack } from './permissions.ts';
import { type LinkMaker, texts, toNode } from './to-wire.ts';

const EXPORT_STEP = 500;
const MOST_IDS = 200;
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

export type CatalogueService = ReturnType<typeof createCatalogueService>;

/** Reading packs: everything that is asked for often, and by anybody. */
export function createCatalogueService({ db, cache, links }: Parts) {
  const toNodes = async (packs: readonly Pack[]): Promise<Node[]> =>
    (await toRecords(db, packs)).map((record) => toNode(record, links));

  const toPage = async (
    { page, limit }: { page: number; limit: number },
    total: number,
    packs: readonly Pack[],
  ): Promise<NodePage> => ({
    total,
    nodes: await toNodes(packs),
    page,
    limit,
    totalPages: Math.ceil(total / limit),
  });

  /** The same for all pages of one listing. */
  const count = async (query: ListQuery): Promise<number> => {
    const { page: _page, limit: _limit, sort: _sort, ...filter } = query;
    const key = `count:${JSON.stringify(filter)}`;
    const counted = await cache.get(key, async () => await repo.countPacks(db, filter));
    return Number(counted.body.toString());
  };

  const list = async (query: ListQuery): Promise<NodePage> => {
    const { page, limit } = query;
    const offset = (page - 1) * limit;
    const total = await count(query);
    const packs = await repo.pageOfPacks(db, query, { offset, limit, sort: query.sort.map(toSort) });
    return await toPage(query, total, packs);
  };

  const search = async (query: SearchQuery): Promise<NodePage> => {
    const repositoryUrl = query.repositoryUrl ? repositoryKey(query.repositoryUrl) : undefined;
    const filter = {
      ...query,
      repositoryKey: repositoryUrl ?? undefined,
      innerNode: query.innerNode || undefined,
    };
    const page = { offset: (query.page - 1) * query.limit, limit: query.limit };
    const words = queryWords(query.search ?? '');
    if (words.length > 0) {
      const { total, packs } = await repo.searchPacks(db, words, filter, page);
      return await toPage(query, total, packs);
    }
    // A query of nothing but signs finds nothing; no query at all finds everything.
    if (query.search?.trim()) return await toPage(query, 0, []);
    const sort = filter.innerNode === undefined ? [] : BY_RANKING;
    const packs = await repo.pageOfPacks(db, filter, { ...page, sort });
    return await toPage(query, await repo.countPacks(db, filter), packs);
  };

  /** In steps, so that requests are answered in between. */
  const exportAll = async (): Promise<Buffer> => {
    const revision = await repo.readRevision(db);
    const parts: string[] = [];
    const filter = { includeBanned: false };
    for (let offset = 0; ; offset += EXPORT_STEP) {
      const packs = await repo.pageOfPacks(db, filter, { offset, limit: EXPORT_STEP, sort: [] });
      for (const node of await toNodes(packs)) parts.push(JSON.stringify(node));
      await new Promise(setImmediate);
      if (packs.length < EXPORT_STEP) break;
    }
    return Buffer.from(`{"revision":${revision},"total":${parts.length},"nodes":[${parts.join(',')}]}`);
  };

  return {
    /** `anew`: with the counts of this moment, which otherwise may be a minute old. */
    async list(query: ListQuery, { anew }: { anew: boolean } = { anew: false }): Promise<Rendered> {
      if ((query.ids?.length ?? 0) > MOST_IDS) {
        throw new AppError('request.invalid', `At most ${MOST_IDS} node ids can be asked for at once.`);
      }
      const key = `list:${JSON.stringify(query)}`;
      if (anew) cache.forget(key);
      return await cache.get(key, async () => await list(query));
    },

    async search(query: SearchQuery): Promise<Rendered> {
      return await cache.get(`search:${JSON.stringify(query)}`, async () => await search(query));
    },

    async export(): Promise<Rendered> {
      return await cache.get('export', exportAll);
    },

    /** By its exact id; `moved` names the right spelling when only the case differs. */
    async read(
      packId: string,
      { withTranslations }: { withTranslations: boolean },
    ): Promise<Rendered | { readonly moved: string }> {
      const spelling = await cache.get(`id:${packIdKey(packId)}`, async () => {
        const record = await findPackRecord(db, packId);
        if (!record || record.pack.status === 'deleted') throw notFound('node', packId);
        if (record.pack.status === 'banned' || record.publisher.status === 'banned') {
          throw bannedPack(record.pack.id);
        }
        return Buffer.from(record.pack.id);
      });
      const id = spelling.body.toString();
      if (id !== packId) return { moved: id };
      return await cache.get(`node:${withTranslations}:${id}`, async () => {
        const record = await findPackRecord(db, id);
        if (!record) throw notFound('node', id);
        return toNode(record, links, { withTranslations });
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

    async ofPublisher(publisherId: string, includeBanned: boolean): Promise<Node[]> {
      const filter = { publisherId, includeBanned };
      return await toNodes(await repo.pageOfPacks(db, filter, { offset: 0, limit: 1000, sort: [] }));
    },
  };
}

function toSort(text: string): { column: repo.SortColumn; direction: 'asc' | 'desc' } {
  const [name = '', order = 'asc', ...rest] = text.split(';');
  const column = repo.SORT_COLUMNS.find((known) => known === name);
  if (!column || (order !== 'asc' && order !== 'desc') || rest.length > 0) {
    throw new AppError(
      'request.invalid',
      `"${text}" is no order. Sort by one of ${repo.SORT_COLUMNS.join(', ')}, with ";desc" for the highest first.`,
    );
  }
  return { column, direction: order };
}
