import type { Asset } from '@atelier/sdk';
import { type QueryClient, queryOptions, useQueries, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef } from 'react';

import { atelier } from '../../atelier.ts';

export interface GalleryFilter {
  readonly q?: string;
  readonly tag?: string;
  readonly kind?: 'picture' | 'video' | 'audio' | 'other';
  readonly from?: 'output' | 'input';
}

/** The loaded items by index; the others have not been loaded yet. */
export type SparseAssets = readonly (Asset | undefined)[];

const PAGE_SIZE = 200;
/** Changes made here and ending jobs invalidate pages themselves. */
const FRESH_MS = 60_000;

/** As a string, because an object would match every key that has more fields. */
const keyOf = (filter: GalleryFilter) => ['assets', 'gallery', JSON.stringify(filter)] as const;

const pageQuery = (filter: GalleryFilter, page: number) =>
  queryOptions({
    queryKey: [...keyOf(filter), page],
    queryFn: async ({ signal }) => {
      const { q, tag, kind, from } = filter;
      const tags = [from, tag].filter((one) => one !== undefined);
      const list = atelier.assets.list({
        ...(q !== undefined && { nameContains: q }),
        ...(kind !== undefined && { kind }),
        ...(tags.length > 0 && { tagsAll: tags }),
        pageSize: PAGE_SIZE,
        offset: page * PAGE_SIZE,
        signal,
      });
      const { items, answer } = await list.page();
      return { items, total: answer.total };
    },
    staleTime: FRESH_MS,
  });

export const pageOf = (index: number) => Math.floor(index / PAGE_SIZE);

/** The list in pages with random access: visible pages are loaded, and loaded pages stay. */
export function useGalleryItems(filter: GalleryFilter, wanted: readonly number[]) {
  const client = useQueryClient();
  const pages = useQueries({ queries: wanted.map((page) => pageQuery(filter, page)) });
  const stamp = pages.map(({ dataUpdatedAt }, place) => `${wanted[place]} ${dataUpdatedAt}`).join();
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- the timestamp stands for the content of the cache.
  const { total, items } = useMemo(() => collect(client, filter), [client, filter, stamp]);

  // Pages are counted from the start of the list, so all of them shift when it grows or shrinks.
  const before = useRef({ filter, total });
  useEffect(() => {
    const { current } = before;
    before.current = { filter, total };
    if (current.filter !== filter || current.total === undefined || current.total === total) return;
    void client.invalidateQueries({ queryKey: keyOf(filter) });
  }, [client, filter, total]);

  /** All items between two indexes, loaded if necessary. */
  const load = useCallback(
    async (from: number, to: number): Promise<Asset[]> => {
      const found: Asset[] = [];
      for (let page = pageOf(from); page <= pageOf(to); page += 1) {
        const { items: loaded } = await client.ensureQueryData(pageQuery(filter, page));
        const start = page * PAGE_SIZE;
        found.push(...loaded.slice(Math.max(0, from - start), to - start + 1));
      }
      return found;
    },
    [client, filter],
  );
  return {
    total,
    items,
    load,
    error: pages.find(({ error }) => error !== null)?.error ?? null,
    refetch: () => void client.refetchQueries({ queryKey: keyOf(filter), type: 'active' }),
  };
}

type Page = { readonly items: readonly Asset[]; readonly total: number };

/** All loaded items, including those of pages that are not visible. The latest response has the length of the list. */
function collect(client: QueryClient, filter: GalleryFilter) {
  const known = client
    .getQueryCache()
    .findAll({ queryKey: keyOf(filter) })
    .filter(({ state }) => state.data !== undefined)
    .toSorted((left, right) => left.state.dataUpdatedAt - right.state.dataUpdatedAt);
  const total = (known.at(-1)?.state.data as Page | undefined)?.total;
  const items = Array.from<Asset | undefined>({ length: total ?? 0 });
  for (const { queryKey, state } of known) {
    const start = Number(queryKey.at(-1)) * PAGE_SIZE;
    (state.data as Page).items.forEach((item, place) => {
      if (start + place < items.length) items[start + place] = item;
    });
  }
  return { total, items: items as SparseAssets };
}
