import type { TaskKind, TaskStatus } from '@atelier/sdk';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';

import { atelier } from '../../atelier.ts';
import { queryClient } from '../../query-client.ts';
import { stateOf } from './tools.ts';

const LIST_POLL_MS = 3000;
const TASK_POLL_MS = 800;
/** Well below a day, for which the links of a result are valid. */
const RESULT_STALE_MS = 6 * 3_600_000;

export const isOver = ({ state }: TaskStatus) => state === 'completed' || state === 'failed';

/** All tasks, newest first, a page at a time. */
export const tasksQuery = infiniteQueryOptions({
  queryKey: ['tasks', 'list'],
  queryFn: async ({ pageParam, signal }) => {
    const { items, next } = await atelier.generation.list({ signal }).page(pageParam);
    return { items, next };
  },
  initialPageParam: undefined as string | number | undefined,
  getNextPageParam: ({ next }) => next,
  refetchInterval: ({ state }) => {
    const tasks = state.data?.pages[0]?.items ?? [];
    const isAnyActive = tasks.some((task) => ['pending', 'in_progress'].includes(stateOf(task)));
    return isAnyActive ? LIST_POLL_MS : false;
  },
});

/** One task with links to its results, polled until it has ended. */
export const taskQuery = (kind: TaskKind, id: string) =>
  queryOptions({
    queryKey: ['tasks', 'one', kind, id],
    queryFn: async ({ signal }) => {
      const before = queryClient.getQueryData<TaskStatus>(['tasks', 'one', kind, id]);
      const status = await atelier.generation.attach(kind, id).status({ signal });
      if (isOver(status) && (!before || !isOver(before))) void invalidateBalance();
      return status;
    },
    refetchInterval: ({ state }) => (state.data && isOver(state.data) ? false : TASK_POLL_MS),
    staleTime: ({ state }) => (state.data && isOver(state.data) ? RESULT_STALE_MS : 0),
  });

/** Call after credits were spent or refunded and the list of tasks has changed. */
export async function invalidateBalance(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: ['tasks', 'list'] });
  await queryClient.invalidateQueries({ queryKey: ['credits'] });
  await queryClient.invalidateQueries({ queryKey: ['me'] });
}
