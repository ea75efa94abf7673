import type { Job } from '@atelier/sdk';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';

import { atelier } from '../../atelier.ts';
import { POLL_MS } from '../../live/job-query.ts';
import { useIsStreamOpen } from '../../live/stream-state.ts';

/** The filters of the list in the address. */
export interface JobListFilter {
  readonly status?: Job['status'] | 'active';
  readonly workflow?: string;
  readonly tag?: string;
  readonly since?: keyof typeof SINCE_MS;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const SINCE_MS = { hour: HOUR_MS, day: DAY_MS, week: 7 * DAY_MS, month: 30 * DAY_MS };
const PAGE_SIZE = 100;

/** All jobs, the newest first. Older ones are loaded on scrolling. */
export function useJobList({ status, workflow, tag, since }: JobListFilter) {
  const isOpen = useIsStreamOpen();
  return useInfiniteQuery({
    queryKey: ['jobs', 'list', { status, workflow, tag, since }],
    initialPageParam: undefined as string | number | undefined,
    queryFn: async ({ pageParam, signal }) =>
      await atelier.jobs
        .list({
          status: status === 'active' ? ['pending', 'in_progress'] : status,
          workflowName: workflow,
          tags: tag === undefined ? undefined : [tag],
          from: since && new Date(Date.now() - SINCE_MS[since]),
          pageSize: PAGE_SIZE,
          signal,
        })
        .page(pageParam),
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    refetchInterval: isOpen ? false : POLL_MS,
    select: ({ pages }) => ({
      jobs: pages.flatMap(({ items }) => items),
      total: pages[0]?.answer.pagination.total ?? 0,
    }),
  });
}
