import { useQuery } from '@tanstack/react-query';

import { atelier } from '../atelier.ts';

/** The jobs that wait and run, the newest first. */
export function useActiveJobs() {
  return useQuery({
    queryKey: ['jobs', 'active'],
    queryFn: async ({ signal }) =>
      (await atelier.jobs.list({ status: ['pending', 'in_progress'], pageSize: 50, signal }).page()).items,
    refetchInterval: 3000,
  });
}
