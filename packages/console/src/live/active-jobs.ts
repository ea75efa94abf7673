import { useQuery } from '@tanstack/react-query';

import { atelier } from '../atelier.ts';
import { POLL_MS } from './job-query.ts';
import { useIsStreamOpen } from './stream-state.ts';

/** Waiting and running jobs, the newest first. */
export function useActiveJobs() {
  const isOpen = useIsStreamOpen();
  return useQuery({
    queryKey: ['jobs', 'active'],
    queryFn: async ({ signal }) =>
      (await atelier.jobs.list({ status: ['pending', 'in_progress'], pageSize: 200, signal }).page()).items,
    refetchInterval: isOpen ? false : POLL_MS,
  });
}
