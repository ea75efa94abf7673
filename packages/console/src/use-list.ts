import type { Cursor, List } from '@atelier/sdk';
import { type keepPreviousData, type QueryKey, useInfiniteQuery } from '@tanstack/react-query';

interface Options {
  readonly refetchInterval?: number;
  readonly enabled?: boolean;
  /** The previous list stays until the new one is loaded. */
  readonly placeholderData?: typeof keepPreviousData;
}

/** A paged list of the server: its entries so far, and a function to load more. */
export function useList<Item, Page>(
  queryKey: QueryKey,
  makeList: (signal: AbortSignal) => List<Item, Page>,
  options: Options = {},
) {
  const query = useInfiniteQuery({
    queryKey,
    queryFn: async ({ pageParam, signal }) => await makeList(signal).page(pageParam),
    initialPageParam: undefined as Cursor | undefined,
    getNextPageParam: ({ next }) => next,
    ...options,
  });
  return {
    ...query,
    data: query.data?.pages.flatMap(({ items }) => items),
    /** The first response of the server, with facts about the whole list. */
    first: query.data?.pages[0]?.answer,
  };
}
