import type { Node } from '@atelier/contracts';

import type { Db } from '../../platform/db/database.ts';
import { invalid, notFound } from '../../platform/errors/app-error.ts';
import { packsWithInnerNode } from '../inner-nodes/inner-nodes.repo.ts';
import { repositoryKey } from '../packs/pack-id.ts';
import { type Pack, toRecords } from '../packs/packs.repo.ts';
import { requirePublisher, visiblePack } from '../permissions.ts';
import { type LinkMaker, texts, toNode } from '../to-wire.ts';
import * as repo from './catalogue.repo.ts';
import { type CachedAnswer, type CatalogueCache, toAnswer } from './catalogue-cache.ts';
import { queryWords } from './pack-search-text.ts';

/** Packs that are read and rendered before other requests get a turn. */
const EXPORT_BATCH = 500;
const MAX_IDS = 200;
/** How often a page is read again because the catalogue changed between its queries. */
const MAX_ATTEMPTS = 3;
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

type Found = Awaited<ReturnType<typeof repo.listPacks>>;

export type CatalogueService = ReturnType<typeof createCatalogueService>;

/** Public reads of packs. Whole answers are cached. */
export function createCatalogueService({ db, cache, links }: Parts) {
  const toNodes = async (packs: readonly Pack[]): Promise<Node[]> =>
    (await toRecords(db, packs)).map((record) => toNode(record, links));

  /** A page whose total and packs are of one revision, unless the catalogue changes constantly. */
  const pageOf = async (
    { page, limit }: Pick<ListQuery, 'page' | 'limit'>,
    find: (page: repo.PackPage) => Promise<Found>,
  ): Promise<CachedAnswer> => {
    for (let attempt = 1; ; attempt += 1) {
      const revision = await repo.readRevision(db);
      const { total, packs } = await find({ offset: (page - 1) * limit, limit });
      const nodes = await toNodes(packs);
      if (attempt < MAX_ATTEMPTS && (await repo.readRevision(db)) !== revision) continue;
      return toAnswer(JSON.stringify({ total, nodes, page, limit, totalPages: Math.ceil(total / limit) }));
    }
  };

  const search = async (query: SearchQuery, page: repo.PackPage): Promise<Found> => {
    const { search: text = '', repositoryUrl, innerNode, ...rest } = query;
    const filter = {
      ...rest,
      repositoryKey: (repositoryUrl ? repositoryKey(repositoryUrl) : undefined) ?? undefined,
      innerNode: innerNode || undefined,
    };
    const words = queryWords(text);
    if (words.length > 0) return await repo.searchPacks(db, words, filter, page);
    // A query without words finds nothing, no query finds everything.
    if (text.trim() !== '') return { total: 0, packs: [] };
    return await repo.listPacks(db, filter, { ...page, sort: innerNode ? BY_RANKING : [] });
  };

  /** All packs of a list: the keys at once and the packs in batches, with turns for other requests. Each pack is there at most once. */
  async function* nodesOf(filter: repo.PackFilter): AsyncGenerator<Node> {
    const seqs = await repo.listPackKeys(db, filter);
    for (let from = 0; from < seqs.length; from += EXPORT_BATCH) {
      yield* await toNodes(await repo.findListedPacks(db, filter, seqs.slice(from, from + EXPORT_BATCH)));
      await new Promise(setImmediate);
    }
  }

  const exportAll = async (): Promise<CachedAnswer> => {
    // Read first: packs may be newer than the revision, but not older.
    const revision = await repo.readRevision(db);
    const parts: string[] = [];
    for await (const node of nodesOf({ includeBanned: false })) parts.push(JSON.stringify(node));
    return toAnswer(`{"revision":${revision},"total":${parts.length},"nodes":[${parts.join(',')}]}`);
  };

  return {
    /** `latest`: with current download counts, which may otherwise be a minute old. */
    async list(query: ListQuery, { latest } = { latest: false }): Promise<CachedAnswer> {
      if ((query.ids?.length ?? 0) > MAX_IDS) {
        throw invalid(`At most ${MAX_IDS} node ids can be asked for at once.`);
      }
      const key = `list:${JSON.stringify(query)}`;
      if (latest) cache.drop(key);
      return await cache.get(key, async () => {
        const { page: _page, limit: _limit, sort, ...filter } = query;
        const columns = sort.map(toSort);
        return await pageOf(
          query,
          async (page) => await repo.listPacks(db, filter, { ...page, sort: columns }),
        );
      });
    },

    async search(query: SearchQuery): Promise<CachedAnswer> {
      return await cache.get(
        `search:${JSON.stringify(query)}`,
        async () => await pageOf(query, async (page) => await search(query, page)),
      );
    },

    async export(): Promise<CachedAnswer> {
      return await cache.get('export', exportAll);
    },

    async read(packId: string, { withTranslations }: { withTranslations: boolean }): Promise<CachedAnswer> {
      return await cache.get(`node:${withTranslations}:${packId}`, async () => {
        const record = await visiblePack(db, packId);
        const { id } = record.pack;
        const answer = toAnswer(JSON.stringify(toNode(record, links, { withTranslations })));
        return id === packId ? answer : { ...answer, movedTo: id };
      });
    },

    /** The pack that provides a node: one that claims the name, otherwise by ranking and downloads. */
    async ofInnerNode(name: string): Promise<Node> {
      const packs = await packsWithInnerNode(db, name);
      const claims = packs.find((pack) => texts(pack.preempted_node_names).includes(name));
      const [node] = await toNodes([claims ?? packs[0]].filter((pack) => pack !== undefined));
      if (!node) throw notFound('node that provides', name);
      return node;
    },

    async assertPublisher(publisherId: string): Promise<void> {
      await requirePublisher(db, publisherId);
    },

    async ofPublisher(publisherId: string, includeBanned: boolean): Promise<Node[]> {
      return await Array.fromAsync(nodesOf({ publisherId, includeBanned }));
    },
  };
}

/** The route's schema has checked the text. */
function toSort(text: string): repo.PackSort[number] {
  const [column, direction = 'asc'] = text.split(';');
  return { column: column as repo.SortColumn, direction: direction as 'asc' | 'desc' };
}
