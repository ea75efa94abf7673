import type { Cursor, List } from '@atelier/sdk';
import { type keepPreviousData, type QueryKey, useInfiniteQuery } from '@tanstack/react-query';

interface Options {
  readonly refetchInterval?: number;
  readonly enabled?: boolean;
  /** The former list stays until the new one is there. */
  readonly placeholderData?: typeof keepPreviousData;
}

/** A list of the server, page by page: its entries so far, and how to get more. */
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
    /** The first answer of the server, with what it says about the whole list. */
    first: query.data?.pages[0]?.answer,
  };
}
